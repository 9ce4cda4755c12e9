/* Vulkan 1.0: sparse buffers. Pages of a buffer get memory by vkQueueBindSparse,
 * with a semaphore to the submission that fills them. The CPU reads the memory, not
 * the buffer. A page is bound elsewhere, and one is unbound; a fill of the whole
 * buffer then skips it. */
#include "client_vk.h"

enum { PAGES = 4 };

static VkDeviceSize page;

/* Bind page `at` of the buffer to page `from` of the memory; memory NULL: unbind it. */
static void bind(const client_vk *c, VkBuffer buffer, uint32_t at, VkDeviceMemory memory,
                 uint32_t from, VkSemaphore signal)
{
    const VkSparseMemoryBind one = {.resourceOffset = at * page,
                                    .size = page,
                                    .memory = memory,
                                    .memoryOffset = from * page};
    const VkSparseBufferMemoryBindInfo buffers = {.buffer = buffer, .bindCount = 1, .pBinds = &one};
    const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
                                   .bufferBindCount = 1,
                                   .pBufferBinds = &buffers,
                                   .signalSemaphoreCount = signal != VK_NULL_HANDLE,
                                   .pSignalSemaphores = &signal};
    client_vk_need(vkQueueBindSparse(c->queue, 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
}

static int fill(const client_vk *c, VkBuffer buffer, VkDeviceSize bytes, uint32_t value,
                VkSemaphore wait)
{
    const VkCommandBuffer commands = client_vk_begin(c);
    vkCmdFillBuffer(commands, buffer, 0, bytes, value);
    client_vk_barrier(commands);
    client_vk_need(client_vk_submit(c, commands, wait, VK_NULL_HANDLE), "vkQueueSubmit");
    return (int)client_vk_wait(c, 10 * client_second_ns);
}

static void expect(const char *name, const uint8_t *bytes, uint8_t first, uint8_t second)
{
    uint8_t *want = malloc(2 * page);
    client_need(want != NULL, "memory");
    memset(want, first, page);
    memset(want + page, second, page);
    client_compare(name, bytes, want, 2 * page);
    free(want);
}

static void run(const client_vk *c)
{
    const VkSemaphoreCreateInfo semaphore_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkMemoryRequirements needed;
    VkSemaphore semaphore;
    VkDeviceMemory memory;
    VkBuffer buffer;
    uint8_t *bytes;
    buffer = client_vk_buffer(c, 1, VK_BUFFER_CREATE_SPARSE_BINDING_BIT, NULL);
    vkGetBufferMemoryRequirements(c->device, buffer, &needed);
    vkDestroyBuffer(c->device, buffer, NULL);
    page = needed.alignment;
    buffer = client_vk_buffer(
        c, PAGES * page,
        VK_BUFFER_CREATE_SPARSE_BINDING_BIT | VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT, NULL);
    vkGetBufferMemoryRequirements(c->device, buffer, &needed);
    needed.size = 2 * page;
    memory = client_vk_memory(c, &needed, NULL, &bytes);
    memset(bytes, CLIENT_POISON, 2 * page);
    client_vk_need(vkCreateSemaphore(c->device, &semaphore_info, NULL, &semaphore),
                   "vkCreateSemaphore");
    bind(c, buffer, 0, memory, 1, VK_NULL_HANDLE); /* the second page of the memory */
    bind(c, buffer, 1, memory, 0, semaphore);
    printf("BOUND %d\n", fill(c, buffer, page, 0x11111111, semaphore));
    expect("FIRST", bytes, CLIENT_POISON, 0x11);
    printf("BOTH %d\n", fill(c, buffer, 2 * page, 0x22222222, VK_NULL_HANDLE));
    expect("SECOND", bytes, 0x22, 0x22);
    bind(c, buffer, 0, VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
    bind(c, buffer, 1, VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
    bind(c, buffer, 3, memory, 0, semaphore);
    printf("MOVED %d\n", fill(c, buffer, PAGES * page, 0x33333333, semaphore));
    expect("LAST", bytes, 0x33, 0x22);
    vkDestroySemaphore(c->device, semaphore, NULL);
    vkDestroyBuffer(c->device, buffer, NULL);
    vkFreeMemory(c->device, memory, NULL);
}

int main(int argc, char **argv)
{
    const VkPhysicalDeviceFeatures features = {.sparseBinding = VK_TRUE,
                                               .sparseResidencyBuffer = VK_TRUE};
    client_vk c;
    setvbuf(stdout, NULL, _IONBF, 0);
    memset(&c, 0, sizeof c);
    client_vk_open(&c, argc > 1 ? argv[1] : NULL, NULL, 0, &features, true);
    run(&c);
    printf("IDLE %d\n", (int)vkDeviceWaitIdle(c.device));
    client_vk_close(&c);
    printf("DONE\n");
    return 0;
}
