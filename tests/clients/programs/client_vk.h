/* A device, buffers and submissions for the Vulkan programs. A call that fails
 * prints its name and result and ends the program. */
#ifndef CLIENT_VK_H
#define CLIENT_VK_H

#include <vulkan/vulkan.h>

#include "client.h"

static const uint64_t client_second_ns = 1000000000;

typedef struct client_vk {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue; /* of family 0 */
    VkQueue mover; /* that executes the command buffers of the pool */
    VkCommandPool pool;
    VkFence fence;
} client_vk;

typedef struct client_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    uint8_t *bytes; /* NULL: not mapped */
} client_buffer;

static inline void client_vk_need(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        printf("%s %d\n", what, (int)result);
        exit(CLIENT_FAILED);
    }
}

/* Return the family whose queues can only transfer; 0: there is none. */
static inline uint32_t client_vk_transfer_family(VkPhysicalDevice physical)
{
    const VkQueueFlags others = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    VkQueueFamilyProperties families[8];
    uint32_t count = sizeof families / sizeof families[0];
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 1; i < count; i++) {
        if ((families[i].queueFlags & VK_QUEUE_TRANSFER_BIT) != 0 &&
            (families[i].queueFlags & others) == 0) {
            return i;
        }
    }
    return 0;
}

/* Open the first device with a queue of family 0, a command pool and a fence. transfers: the commands
 * are for a queue that can only transfer, if there is one. */
static inline void client_vk_open(client_vk *c, const char *text, const char *const *extensions,
                                  uint32_t extension_count,
                                  const VkPhysicalDeviceFeatures *features, bool transfers)
{
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                .pApplicationInfo = &app};
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queues[2] = {
        {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
         .queueCount = 1,
         .pQueuePriorities = &priority}
    };
    VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = queues,
                                      .enabledExtensionCount = extension_count,
                                      .ppEnabledExtensionNames = extensions,
                                      .pEnabledFeatures = features};
    VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkPhysicalDeviceProperties properties;
    uint32_t count = 1;
    VkResult result;
    client_vk_need(vkCreateInstance(&instance_info, NULL, &c->instance), "vkCreateInstance");
    result = vkEnumeratePhysicalDevices(c->instance, &count, &c->physical);
    client_need((result == VK_SUCCESS || result == VK_INCOMPLETE) && count == 1, "device");
    vkGetPhysicalDeviceProperties(c->physical, &properties);
    client_name(properties.deviceName, text);
    if (transfers) {
        pool_info.queueFamilyIndex = client_vk_transfer_family(c->physical);
    }
    if (pool_info.queueFamilyIndex != 0) {
        queues[1] = queues[0];
        queues[1].queueFamilyIndex = pool_info.queueFamilyIndex;
        device_info.queueCreateInfoCount = 2;
    }
    client_vk_need(vkCreateDevice(c->physical, &device_info, NULL, &c->device), "vkCreateDevice");
    vkGetDeviceQueue(c->device, 0, 0, &c->queue);
    vkGetDeviceQueue(c->device, pool_info.queueFamilyIndex, 0, &c->mover);
    client_vk_need(vkCreateCommandPool(c->device, &pool_info, NULL, &c->pool),
                   "vkCreateCommandPool");
    client_vk_need(vkCreateFence(c->device, &fence_info, NULL, &c->fence), "vkCreateFence");
}

static inline void client_vk_close(client_vk *c)
{
    vkDestroyFence(c->device, c->fence, NULL);
    vkDestroyCommandPool(c->device, c->pool, NULL);
    vkDestroyDevice(c->device, NULL);
    vkDestroyInstance(c->instance, NULL);
}

/* Return a memory type of the mask with these properties. */
static inline uint32_t client_vk_type(const client_vk *c, uint32_t mask,
                                      VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties types;
    uint32_t i = 0;
    vkGetPhysicalDeviceMemoryProperties(c->physical, &types);
    while (i < types.memoryTypeCount &&
           ((mask >> i & 1) == 0 || (types.memoryTypes[i].propertyFlags & wanted) != wanted)) {
        i++;
    }
    client_need(i < types.memoryTypeCount, "memory type");
    return i;
}

/* Allocate memory of a type that the CPU can map; next is for vkAllocateMemory. */
static inline VkDeviceMemory client_vk_memory(const client_vk *c,
                                              const VkMemoryRequirements *needed, const void *next,
                                              uint8_t **bytes)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .pNext = next,
                                       .allocationSize = needed->size,
                                       .memoryTypeIndex =
                                           client_vk_type(c, needed->memoryTypeBits, wanted)};
    VkDeviceMemory memory;
    void *at;
    client_vk_need(vkAllocateMemory(c->device, &info, NULL, &memory), "vkAllocateMemory");
    client_vk_need(vkMapMemory(c->device, memory, 0, VK_WHOLE_SIZE, 0, &at), "vkMapMemory");
    *bytes = at;
    return memory;
}

static inline VkBuffer client_vk_buffer(const client_vk *c, VkDeviceSize size,
                                        VkBufferCreateFlags flags, const void *next)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .pNext = next,
                                     .flags = flags,
                                     .size = size,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkBuffer buffer;
    client_vk_need(vkCreateBuffer(c->device, &info, NULL, &buffer), "vkCreateBuffer");
    return buffer;
}

/* Make a buffer with memory of its own, which the CPU has mapped. */
static inline client_buffer client_vk_mapped(const client_vk *c, VkDeviceSize size)
{
    client_buffer b = {.buffer = client_vk_buffer(c, size, 0, NULL)};
    VkMemoryRequirements needed;
    vkGetBufferMemoryRequirements(c->device, b.buffer, &needed);
    b.memory = client_vk_memory(c, &needed, NULL, &b.bytes);
    client_vk_need(vkBindBufferMemory(c->device, b.buffer, b.memory, 0), "vkBindBufferMemory");
    return b;
}

static inline void client_vk_free(const client_vk *c, client_buffer *b)
{
    vkDestroyBuffer(c->device, b->buffer, NULL);
    vkFreeMemory(c->device, b->memory, NULL);
}

static inline VkCommandBuffer client_vk_begin(const client_vk *c)
{
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = c->pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands;
    client_vk_need(vkAllocateCommandBuffers(c->device, &info, &commands),
                   "vkAllocateCommandBuffers");
    client_vk_need(vkBeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
    return commands;
}

/* A barrier between two transfers, or between a transfer and the CPU. */
static inline void client_vk_barrier(VkCommandBuffer commands)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                 .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT |
                                                  VK_ACCESS_TRANSFER_WRITE_BIT |
                                                  VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0,
                         NULL, 0, NULL);
}

/* End the command buffer and submit it with the fence; each semaphore may be absent. */
static inline VkResult client_vk_submit(const client_vk *c, VkCommandBuffer commands,
                                        VkSemaphore wait, VkSemaphore signal)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .waitSemaphoreCount = wait != VK_NULL_HANDLE,
                               .pWaitSemaphores = &wait,
                               .pWaitDstStageMask = &stage,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands,
                               .signalSemaphoreCount = signal != VK_NULL_HANDLE,
                               .pSignalSemaphores = &signal};
    client_vk_need(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    return vkQueueSubmit(c->mover, 1, &info, c->fence);
}

/* Wait for the fence, and reset it. */
static inline VkResult client_vk_wait(const client_vk *c, uint64_t timeout_ns)
{
    const VkResult result = vkWaitForFences(c->device, 1, &c->fence, VK_TRUE, timeout_ns);
    if (result == VK_SUCCESS) {
        client_vk_need(vkResetFences(c->device, 1, &c->fence), "vkResetFences");
    }
    return result;
}

#endif /* CLIENT_VK_H */
