/* Vulkan 1.1: two processes share a buffer, an image and sync files. The parent
 * copies a pattern to the image and exports its semaphore; the child waits for the
 * semaphore, copies the image to the buffer and exports another one, for which the
 * parent waits. Descriptors go through a socket. FILL and IMAGE are exact on queues
 * that copy without shaders. */
#include "client_vk.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIDE = 64, BYTES = SIDE * SIDE * 4, PATTERN_CPU = 50, PATTERN_CHILD, PATTERN_IMAGE };

/* Parts of the buffer: written by the CPU of the parent, by that of the child, by the
 * GPU of the parent, by that of the child. */
enum { PART_PARENT, PART_CHILD, PART_FILL, PART_IMAGE, PARTS };

static int to_other;

typedef struct world {
    client_vk c;
    client_buffer buffer;
    VkImage image;
    VkDeviceMemory image_memory;
    PFN_vkGetMemoryFdKHR get_memory_fd;
    PFN_vkGetSemaphoreFdKHR get_semaphore_fd;
    PFN_vkImportSemaphoreFdKHR import_semaphore_fd;
} world;

/* ---- descriptors ---- */

static void send_fd(int fd)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    char byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr m = {.msg_iov = &data,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control};
    memset(&control, 0, sizeof control);
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
    client_need(sendmsg(to_other, &m, 0) == 1, "sendmsg");
    close(fd);
}

static int receive_fd(void)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    char byte;
    struct iovec data = {&byte, 1};
    struct msghdr m = {.msg_iov = &data,
                       .msg_iovlen = 1,
                       .msg_control = &control,
                       .msg_controllen = sizeof control};
    int fd;
    client_need(recvmsg(to_other, &m, 0) == 1 && m.msg_controllen != 0, "recvmsg");
    memcpy(&fd, CMSG_DATA(&control.header), sizeof fd);
    return fd;
}

/* ---- semaphores ---- */

static VkSemaphore semaphore_new(const world *w)
{
    const VkExportSemaphoreCreateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &export};
    VkSemaphore semaphore;
    client_vk_need(vkCreateSemaphore(w->c.device, &info, NULL, &semaphore), "vkCreateSemaphore");
    return semaphore;
}

static void send_semaphore(const world *w, VkSemaphore semaphore)
{
    const VkSemaphoreGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                         .semaphore = semaphore,
                                         .handleType =
                                             VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
    int fd;
    client_vk_need(w->get_semaphore_fd(w->c.device, &get, &fd), "vkGetSemaphoreFdKHR");
    send_fd(fd);
}

static VkSemaphore receive_semaphore(const world *w)
{
    const VkSemaphore semaphore = semaphore_new(w);
    const VkImportSemaphoreFdInfoKHR import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
        .semaphore = semaphore,
        .flags = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
        .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT,
        .fd = receive_fd()};
    client_vk_need(w->import_semaphore_fd(w->c.device, &import), "vkImportSemaphoreFdKHR");
    return semaphore;
}

/* ---- memory ---- */

static void send_memory(const world *w, VkDeviceMemory memory)
{
    const VkMemoryGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                      .memory = memory,
                                      .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    int fd;
    client_vk_need(w->get_memory_fd(w->c.device, &get, &fd), "vkGetMemoryFdKHR");
    send_fd(fd);
}

/* Allocate memory to export, or import that of the other process. bytes NULL: it is not mapped. */
static VkDeviceMemory memory_new(const world *w, const VkMemoryRequirements *needed, bool is_child,
                                 uint8_t **bytes)
{
    const VkExportMemoryAllocateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkImportMemoryFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR,
                                            .handleType =
                                                VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
                                            .fd = is_child ? receive_fd() : -1};
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .pNext = is_child ? (const void *)&import : &export,
                                 .allocationSize = needed->size};
    VkDeviceMemory memory;
    if (bytes != NULL) {
        return client_vk_memory(&w->c, needed, info.pNext, bytes);
    }
    info.memoryTypeIndex = client_vk_type(&w->c, needed->memoryTypeBits, 0);
    client_vk_need(vkAllocateMemory(w->c.device, &info, NULL, &memory), "vkAllocateMemory");
    return memory;
}

static void make_shared(world *w, bool is_child)
{
    const VkExternalMemoryBufferCreateInfo external_buffer = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkExternalMemoryImageCreateInfo external_image = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkImageCreateInfo image_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .pNext = &external_image,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_R8G8B8A8_UNORM,
        .extent = {SIDE, SIDE, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT
    };
    VkMemoryRequirements needed;
    w->buffer.buffer = client_vk_buffer(&w->c, PARTS * BYTES, 0, &external_buffer);
    vkGetBufferMemoryRequirements(w->c.device, w->buffer.buffer, &needed);
    w->buffer.memory = memory_new(w, &needed, is_child, &w->buffer.bytes);
    client_vk_need(vkBindBufferMemory(w->c.device, w->buffer.buffer, w->buffer.memory, 0),
                   "vkBindBufferMemory");
    client_vk_need(vkCreateImage(w->c.device, &image_info, NULL, &w->image), "vkCreateImage");
    vkGetImageMemoryRequirements(w->c.device, w->image, &needed);
    w->image_memory = memory_new(w, &needed, is_child, NULL);
    client_vk_need(vkBindImageMemory(w->c.device, w->image, w->image_memory, 0),
                   "vkBindImageMemory");
}

/* The layout of the image changes. */
static void to_layout(const world *w, VkCommandBuffer commands, VkImageLayout from,
                      VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = w->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}
    };
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         0, 0, NULL, 0, NULL, 1, &barrier);
}

static const VkBufferImageCopy whole_image = {
    .bufferOffset = PART_IMAGE * BYTES,
    .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0,      1},
    .imageExtent = {SIDE,                         SIDE,                       1}
};

static void open_world(world *w, const char *text, bool is_child)
{
    static const char *const extensions[] = {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
                                             VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME};
    client_vk_open(&w->c, text, extensions, 2, NULL, true);
    w->get_memory_fd = (PFN_vkGetMemoryFdKHR)vkGetDeviceProcAddr(w->c.device, "vkGetMemoryFdKHR");
    w->get_semaphore_fd =
        (PFN_vkGetSemaphoreFdKHR)vkGetDeviceProcAddr(w->c.device, "vkGetSemaphoreFdKHR");
    w->import_semaphore_fd =
        (PFN_vkImportSemaphoreFdKHR)vkGetDeviceProcAddr(w->c.device, "vkImportSemaphoreFdKHR");
    client_need(w->get_memory_fd != NULL && w->get_semaphore_fd != NULL &&
                    w->import_semaphore_fd != NULL,
                "functions of files");
    make_shared(w, is_child);
}

static void close_world(world *w)
{
    vkDestroyImage(w->c.device, w->image, NULL);
    vkFreeMemory(w->c.device, w->image_memory, NULL);
    client_vk_free(&w->c, &w->buffer);
    client_vk_close(&w->c);
}

/* ---- the two processes ---- */

static void compare(const world *w, const char *name, int part, uint32_t pattern)
{
    static uint8_t want[BYTES];
    client_pattern(want, BYTES, pattern);
    client_compare(name, w->buffer.bytes + part * BYTES, want, BYTES);
}

static int child(const char *text)
{
    world w;
    VkCommandBuffer commands;
    VkSemaphore filled, copied;
    static uint8_t filled_bytes[BYTES];
    memset(&w, 0, sizeof w);
    open_world(&w, text, true);
    compare(&w, "CHILD READS", PART_PARENT, PATTERN_CPU);
    memset(filled_bytes, 0x5a, BYTES);
    client_compare("FILL", w.buffer.bytes + PART_FILL * BYTES, filled_bytes, BYTES);
    client_pattern(w.buffer.bytes + PART_CHILD * BYTES, BYTES, PATTERN_CHILD);
    filled = receive_semaphore(&w);
    copied = semaphore_new(&w);
    commands = client_vk_begin(&w.c);
    to_layout(&w, commands, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    vkCmdCopyImageToBuffer(commands, w.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, w.buffer.buffer,
                           1, &whole_image);
    client_vk_barrier(commands);
    printf("CHILD SUBMIT %d\n", (int)client_vk_submit(&w.c, commands, filled, copied));
    send_semaphore(&w, copied);
    printf("CHILD FENCE %d\n", (int)client_vk_wait(&w.c, 10 * client_second_ns));
    (void)vkDeviceWaitIdle(w.c.device);
    vkDestroySemaphore(w.c.device, filled, NULL);
    vkDestroySemaphore(w.c.device, copied, NULL);
    close_world(&w);
    return 0;
}

static void parent(const char *text)
{
    world w;
    VkCommandBuffer commands;
    VkSemaphore filled, copied;
    memset(&w, 0, sizeof w);
    open_world(&w, text, false);
    client_poison(w.buffer.bytes, PARTS * BYTES);
    client_pattern(w.buffer.bytes + PART_PARENT * BYTES, BYTES, PATTERN_CPU);
    client_pattern(w.buffer.bytes + PART_IMAGE * BYTES, BYTES, PATTERN_IMAGE);
    filled = semaphore_new(&w);
    commands = client_vk_begin(&w.c);
    vkCmdFillBuffer(commands, w.buffer.buffer, PART_FILL * BYTES, BYTES, 0x5a5a5a5a);
    to_layout(&w, commands, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    vkCmdCopyBufferToImage(commands, w.buffer.buffer, w.image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                           1, &whole_image);
    to_layout(&w, commands, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    client_vk_barrier(commands);
    printf("SUBMIT %d\n", (int)client_vk_submit(&w.c, commands, VK_NULL_HANDLE, filled));
    printf("FENCE %d\n", (int)client_vk_wait(&w.c, 10 * client_second_ns));
    client_poison(w.buffer.bytes + PART_IMAGE * BYTES,
                  BYTES); /* the child gets it from the image */
    send_memory(&w, w.buffer.memory);
    send_memory(&w, w.image_memory);
    send_semaphore(&w, filled);
    copied = receive_semaphore(&w);
    commands = client_vk_begin(&w.c);
    printf("SUBMIT %d\n", (int)client_vk_submit(&w.c, commands, copied, VK_NULL_HANDLE));
    printf("FENCE %d\n", (int)client_vk_wait(&w.c, 10 * client_second_ns));
    compare(&w, "READS", PART_CHILD, PATTERN_CHILD);
    compare(&w, "IMAGE", PART_IMAGE, PATTERN_IMAGE);
    printf("IDLE %d\n", (int)vkDeviceWaitIdle(w.c.device));
    vkDestroySemaphore(w.c.device, filled, NULL);
    vkDestroySemaphore(w.c.device, copied, NULL);
    close_world(&w);
}

int main(int argc, char **argv)
{
    const char *text = argc > 1 ? argv[1] : NULL;
    int both[2], status = -1;
    pid_t pid;
    setvbuf(stdout, NULL, _IONBF, 0);
    client_need(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, both) == 0, "socketpair");
    pid = fork();
    client_need(pid >= 0, "fork");
    to_other = both[pid == 0];
    close(both[pid != 0]);
    if (pid == 0) {
        return child(text);
    }
    parent(text);
    client_need(waitpid(pid, &status, 0) == pid, "waitpid");
    printf("CHILD ENDS %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    printf("DONE\n");
    return 0;
}
