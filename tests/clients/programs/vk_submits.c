/* Vulkan 1.0: many submissions of one command buffer without commands, by one
 * process. Each has a fence; the program waits for every 64th submission.
 *   vk_submits [TEXT [COUNT]]   10000 submissions without COUNT */
#include <vulkan/vulkan.h>

#include <time.h>

#include "client.h"

enum { COUNT = 10000, FENCES = 64 };

static const uint64_t second_ns = 1000000000;

typedef struct world {
    VkInstance instance;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fences[FENCES];
} world;

static void need(VkResult result, const char *what)
{
    if (result != VK_SUCCESS) {
        printf("%s %d\n", what, (int)result);
        exit(CLIENT_FAILED);
    }
}

static void open_device(world *w, const char *text)
{
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_0};
    const VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                .pApplicationInfo = &app};
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                .queueCount = 1,
                                                .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                            .queueCreateInfoCount = 1,
                                            .pQueueCreateInfos = &queue_info};
    VkPhysicalDeviceProperties properties;
    VkPhysicalDevice physical;
    uint32_t count = 1;
    VkResult result;
    need(vkCreateInstance(&instance_info, NULL, &w->instance), "vkCreateInstance");
    result = vkEnumeratePhysicalDevices(w->instance, &count, &physical);
    client_need((result == VK_SUCCESS || result == VK_INCOMPLETE) && count == 1, "device");
    vkGetPhysicalDeviceProperties(physical, &properties);
    client_name(properties.deviceName, text);
    need(vkCreateDevice(physical, &device_info, NULL, &w->device), "vkCreateDevice");
    vkGetDeviceQueue(w->device, 0, 0, &w->queue);
}

static void record(world *w)
{
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
    VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                        .commandBufferCount = 1};
    need(vkCreateCommandPool(w->device, &pool_info, NULL, &w->pool), "vkCreateCommandPool");
    info.commandPool = w->pool;
    need(vkAllocateCommandBuffers(w->device, &info, &w->commands), "vkAllocateCommandBuffers");
    need(vkBeginCommandBuffer(w->commands, &begin), "vkBeginCommandBuffer");
    need(vkEndCommandBuffer(w->commands), "vkEndCommandBuffer");
    for (uint32_t i = 0; i < FENCES; i++) {
        const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        need(vkCreateFence(w->device, &fence, NULL, &w->fences[i]), "vkCreateFence");
    }
}

/* Submit until a call fails; return how many did not. */
static uint32_t submit(const world *w, uint32_t count)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &w->commands};
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = i % FENCES;
        if (vkQueueSubmit(w->queue, 1, &info, w->fences[at]) != VK_SUCCESS) {
            return i;
        }
        if (at == FENCES - 1 &&
            (vkWaitForFences(w->device, FENCES, w->fences, VK_TRUE, 10 * second_ns) != VK_SUCCESS ||
             vkResetFences(w->device, FENCES, w->fences) != VK_SUCCESS)) {
            return i;
        }
    }
    return count;
}

int main(int argc, char **argv)
{
    const uint32_t count = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : COUNT;
    struct timespec begin, end;
    world w;
    setvbuf(stdout, NULL, _IONBF, 0);
    memset(&w, 0, sizeof w);
    open_device(&w, argc > 1 ? argv[1] : NULL);
    record(&w);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    printf("SUBMITTED %u\n", submit(&w, count));
    printf("IDLE %d\n", (int)vkQueueWaitIdle(w.queue));
    clock_gettime(CLOCK_MONOTONIC, &end);
    printf("MICROSECONDS %.0f\n",
           (double)(end.tv_sec - begin.tv_sec) * 1e6 + (double)(end.tv_nsec - begin.tv_nsec) / 1e3);
    for (uint32_t i = 0; i < FENCES; i++) {
        vkDestroyFence(w.device, w.fences[i], NULL);
    }
    vkDestroyCommandPool(w.device, w.pool, NULL);
    vkDestroyDevice(w.device, NULL);
    vkDestroyInstance(w.instance, NULL);
    printf("DONE\n");
    return 0;
}
