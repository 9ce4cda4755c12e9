/* Vulkan 1.1: a program with a mistake, and what its driver reports.
 *   vk_faults TEXT KIND
 * KIND is one of:
 *   freed   a copy to a buffer whose memory was freed: an unmapped address
 *   event   a wait for an event that nothing sets: a hang
 *   depth   a clear of a part of a depth attachment whose memory was freed. SYNC is
 *           the status of the submission's sync file: 1, or the errno of the kernel
 * The program prints the results of the submission, of its fence, and of a second
 * submission that has no mistake: -4 is VK_ERROR_DEVICE_LOST. */
#include "client_vk.h"

#include <linux/sync_file.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { BYTES = 65536, SIDE = 64 };

static void copy_to_freed(const client_vk *c, VkCommandBuffer commands)
{
    const VkBufferCopy region = {0, 0, BYTES};
    const client_buffer from = client_vk_mapped(c, BYTES);
    client_buffer to = client_vk_mapped(c, BYTES);
    vkCmdCopyBuffer(commands, from.buffer, to.buffer, 1, &region);
    vkFreeMemory(c->device, to.memory, NULL);
}

static void wait_for_event(const client_vk *c, VkCommandBuffer commands)
{
    const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    VkEvent event;
    client_vk_need(vkCreateEvent(c->device, &info, NULL, &event), "vkCreateEvent");
    vkCmdWaitEvents(commands, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT,
                    VK_PIPELINE_STAGE_TRANSFER_BIT, 0, NULL, 0, NULL, 0, NULL);
}

/* Return an image for a depth attachment, in memory that can be exported. */
static VkImage depth_image(const client_vk *c, VkDeviceMemory *memory)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = VK_FORMAT_D32_SFLOAT,
        .extent = {SIDE, SIDE, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
    };
    const VkExportMemoryAllocateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO,
        .handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};
    VkMemoryAllocateInfo wanted = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .pNext = &export};
    VkMemoryRequirements needed;
    VkImage image;
    client_vk_need(vkCreateImage(c->device, &info, NULL, &image), "vkCreateImage");
    vkGetImageMemoryRequirements(c->device, image, &needed);
    wanted.allocationSize = needed.size;
    wanted.memoryTypeIndex =
        client_vk_type(c, needed.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
    client_vk_need(vkAllocateMemory(c->device, &wanted, NULL, memory), "vkAllocateMemory");
    client_vk_need(vkBindImageMemory(c->device, image, *memory, 0), "vkBindImageMemory");
    return image;
}

/* Return a pass that loads and stores one depth attachment. */
static VkRenderPass depth_pass(const client_vk *c)
{
    const VkAttachmentDescription depth = {
        .format = VK_FORMAT_D32_SFLOAT,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
        .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
        .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
        .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
        .initialLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkAttachmentReference at = {0, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
    const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                          .pDepthStencilAttachment = &at};
    const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                         .attachmentCount = 1,
                                         .pAttachments = &depth,
                                         .subpassCount = 1,
                                         .pSubpasses = &subpass};
    VkRenderPass pass;
    client_vk_need(vkCreateRenderPass(c->device, &info, NULL, &pass), "vkCreateRenderPass");
    return pass;
}

/* Export memory once: no driver keeps it for another allocation after that. */
static void export_memory(const client_vk *c, VkDeviceMemory memory)
{
    const PFN_vkGetMemoryFdKHR get =
        (PFN_vkGetMemoryFdKHR)vkGetDeviceProcAddr(c->device, "vkGetMemoryFdKHR");
    const VkMemoryGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR,
                                       .memory = memory,
                                       .handleType =
                                           VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};
    int fd = -1;
    client_vk_need(get(c->device, &info, &fd), "vkGetMemoryFdKHR");
    close(fd);
}

static void clear_freed_depth(const client_vk *c, VkCommandBuffer commands)
{
    VkDeviceMemory memory;
    const VkImage image = depth_image(c, &memory);
    const VkRenderPass pass = depth_pass(c);
    const VkImageViewCreateInfo view_info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = VK_FORMAT_D32_SFLOAT,
        .subresourceRange = {VK_IMAGE_ASPECT_DEPTH_BIT, 0, 1, 0, 1}
    };
    VkImageView view;
    VkFramebuffer framebuffer;
    client_vk_need(vkCreateImageView(c->device, &view_info, NULL, &view), "vkCreateImageView");
    const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                          .renderPass = pass,
                                          .attachmentCount = 1,
                                          .pAttachments = &view,
                                          .width = SIDE,
                                          .height = SIDE,
                                          .layers = 1};
    client_vk_need(vkCreateFramebuffer(c->device, &info, NULL, &framebuffer),
                   "vkCreateFramebuffer");
    const VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT,
                                     .clearValue = {.depthStencil = {.depth = 0.5f}}};
    const VkClearRect area = {
        {{0, 0}, {SIDE / 2, SIDE / 2}},
        0,
        1
    };
    const VkRenderPassBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
        .renderPass = pass,
        .framebuffer = framebuffer,
        .renderArea = {{0, 0}, {SIDE, SIDE}},
    };
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vkCmdClearAttachments(commands, 1, &clear, 1, &area);
    vkCmdEndRenderPass(commands);
    export_memory(c, memory);
    vkFreeMemory(c->device, memory, NULL);
}

static VkSemaphore exported_semaphore(const client_vk *c)
{
    const VkExportSemaphoreCreateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &export};
    VkSemaphore semaphore;
    client_vk_need(vkCreateSemaphore(c->device, &info, NULL, &semaphore), "vkCreateSemaphore");
    return semaphore;
}

/* Print the status of the sync file of a semaphore. */
static void print_sync(const client_vk *c, VkSemaphore semaphore)
{
    const PFN_vkGetSemaphoreFdKHR get =
        (PFN_vkGetSemaphoreFdKHR)vkGetDeviceProcAddr(c->device, "vkGetSemaphoreFdKHR");
    const VkSemaphoreGetFdInfoKHR info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                          .semaphore = semaphore,
                                          .handleType =
                                              VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
    struct sync_file_info status = {.status = 0};
    int fd = -1;
    client_vk_need(get(c->device, &info, &fd), "vkGetSemaphoreFdKHR");
    client_need(ioctl(fd, SYNC_IOC_FILE_INFO, &status) == 0, "SYNC_IOC_FILE_INFO");
    printf("SYNC %d\n", (int)status.status);
    close(fd);
}

int main(int argc, char **argv)
{
    static const char *const shared[] = {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
                                         VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                                         VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME};
    const char *kind = argc > 2 ? argv[2] : "freed";
    const bool depth = strcmp(kind, "depth") == 0;
    VkSemaphore semaphore = VK_NULL_HANDLE;
    VkCommandBuffer commands;
    VkResult result;
    client_vk c;
    setvbuf(stdout, NULL, _IONBF, 0);
    memset(&c, 0, sizeof c);
    client_vk_open(&c, argc > 1 ? argv[1] : NULL, shared, depth ? 3 : 0, NULL, false);
    commands = client_vk_begin(&c);
    if (depth) {
        clear_freed_depth(&c, commands);
        semaphore = exported_semaphore(&c);
    } else if (strcmp(kind, "event") == 0) {
        wait_for_event(&c, commands);
    } else {
        copy_to_freed(&c, commands);
    }
    result = client_vk_submit(&c, commands, VK_NULL_HANDLE, semaphore);
    printf("SUBMIT %d\n", (int)result);
    if (depth && result == VK_SUCCESS) {
        print_sync(&c, semaphore);
    }
    result = client_vk_wait(&c, 20 * client_second_ns);
    printf("FENCE %d\n", (int)result);
    printf("IDLE %d\n", (int)vkQueueWaitIdle(c.queue));
    commands = client_vk_begin(&c);
    result = client_vk_submit(&c, commands, VK_NULL_HANDLE, VK_NULL_HANDLE);
    if (result == VK_SUCCESS) {
        result = client_vk_wait(&c, client_second_ns);
    }
    printf("AFTER %d\n", (int)result);
    printf("DONE\n");
    return 0;
}
