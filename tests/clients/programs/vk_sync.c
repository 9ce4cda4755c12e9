/* Vulkan 1.2: waits and signals of submissions. Timeline semaphores, signalled by
 * the queue and by the CPU; a submission before the signal that it waits for;
 * semaphores and fences exported to files and imported from them. */
#include <vulkan/vulkan.h>

#include <poll.h>
#include <unistd.h>

#include "client.h"

static const uint64_t second_ns = 1000000000;

typedef struct world {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    PFN_vkGetSemaphoreFdKHR get_semaphore_fd;
    PFN_vkImportSemaphoreFdKHR import_semaphore_fd;
    PFN_vkGetFenceFdKHR get_fence_fd;
    PFN_vkImportFenceFdKHR import_fence_fd;
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
    static const char *const extensions[] = {VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
                                             VK_KHR_EXTERNAL_FENCE_FD_EXTENSION_NAME};
    const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                .pApplicationInfo = &app};
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                .queueCount = 1,
                                                .pQueuePriorities = &priority};
    const VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .timelineSemaphore = VK_TRUE};
    const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                            .pNext = &timeline,
                                            .queueCreateInfoCount = 1,
                                            .pQueueCreateInfos = &queue_info,
                                            .enabledExtensionCount = 2,
                                            .ppEnabledExtensionNames = extensions};
    VkPhysicalDeviceProperties properties;
    uint32_t count = 1;
    VkResult result;
    need(vkCreateInstance(&instance_info, NULL, &w->instance), "vkCreateInstance");
    result = vkEnumeratePhysicalDevices(w->instance, &count, &w->physical);
    client_need((result == VK_SUCCESS || result == VK_INCOMPLETE) && count == 1, "device");
    vkGetPhysicalDeviceProperties(w->physical, &properties);
    client_name(properties.deviceName, text);
    need(vkCreateDevice(w->physical, &device_info, NULL, &w->device), "vkCreateDevice");
    vkGetDeviceQueue(w->device, 0, 0, &w->queue);
    w->get_semaphore_fd =
        (PFN_vkGetSemaphoreFdKHR)vkGetDeviceProcAddr(w->device, "vkGetSemaphoreFdKHR");
    w->import_semaphore_fd =
        (PFN_vkImportSemaphoreFdKHR)vkGetDeviceProcAddr(w->device, "vkImportSemaphoreFdKHR");
    w->get_fence_fd = (PFN_vkGetFenceFdKHR)vkGetDeviceProcAddr(w->device, "vkGetFenceFdKHR");
    w->import_fence_fd =
        (PFN_vkImportFenceFdKHR)vkGetDeviceProcAddr(w->device, "vkImportFenceFdKHR");
    client_need(w->get_semaphore_fd != NULL && w->import_semaphore_fd != NULL &&
                    w->get_fence_fd != NULL && w->import_fence_fd != NULL,
                "functions of files");
}

static VkSemaphore semaphore_new(const world *w, const void *next)
{
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = next};
    VkSemaphore semaphore;
    need(vkCreateSemaphore(w->device, &info, NULL, &semaphore), "vkCreateSemaphore");
    return semaphore;
}

static VkFence fence_new(const world *w, const void *next)
{
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .pNext = next};
    VkFence fence;
    need(vkCreateFence(w->device, &info, NULL, &fence), "vkCreateFence");
    return fence;
}

/* Submit no commands: only wait for one semaphore and signal another. Each may be
 * absent. */
static void submit(const world *w, VkSemaphore wait, uint64_t wait_value, VkSemaphore signal,
                   uint64_t signal_value, VkFence fence)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const uint32_t waits = wait != VK_NULL_HANDLE;
    const uint32_t signals = signal != VK_NULL_HANDLE;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = waits,
        .pWaitSemaphoreValues = &wait_value,
        .signalSemaphoreValueCount = signals,
        .pSignalSemaphoreValues = &signal_value};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &values,
                               .waitSemaphoreCount = waits,
                               .pWaitSemaphores = &wait,
                               .pWaitDstStageMask = &stage,
                               .signalSemaphoreCount = signals,
                               .pSignalSemaphores = &signal};
    need(vkQueueSubmit(w->queue, 1, &info, fence), "vkQueueSubmit");
}

static int wait_for(const world *w, VkSemaphore semaphore, uint64_t value, uint64_t timeout_ns)
{
    const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &semaphore,
                                      .pValues = &value};
    return (int)vkWaitSemaphores(w->device, &info, timeout_ns);
}

/* Print the result of a wait and the value of the semaphore after it. */
static void show(const world *w, const char *name, int result, VkSemaphore semaphore)
{
    uint64_t value = 0;
    need(vkGetSemaphoreCounterValue(w->device, semaphore, &value), "vkGetSemaphoreCounterValue");
    printf("%s %d %" PRIu64 "\n", name, result, value);
}

static void timeline(const world *w)
{
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
                                            .initialValue = 3};
    const VkSemaphore t = semaphore_new(w, &type);
    VkSemaphoreSignalInfo signal = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
                                    .semaphore = t,
                                    .value = 6};
    show(w, "INITIAL", 0, t);
    submit(w, t, 3, t, 5, VK_NULL_HANDLE);
    show(w, "QUEUE", wait_for(w, t, 5, second_ns), t);
    need(vkSignalSemaphore(w->device, &signal), "vkSignalSemaphore");
    show(w, "HOST", wait_for(w, t, 6, 0), t);
    submit(w, t, 8, t, 9, VK_NULL_HANDLE); /* no submission signals 8 yet */
    show(w, "EARLY", wait_for(w, t, 9, second_ns / 50), t);
    signal.value = 8;
    need(vkSignalSemaphore(w->device, &signal), "vkSignalSemaphore");
    show(w, "LATE", wait_for(w, t, 9, 2 * second_ns), t);
    need(vkQueueWaitIdle(w->queue), "vkQueueWaitIdle");
    vkDestroySemaphore(w->device, t, NULL);
}

/* Export a semaphore as a sync file, which must be readable for poll. Import the
 * file as another semaphore, and submit a wait for that one. */
static void semaphore_file(const world *w)
{
    const VkExportSemaphoreCreateInfo export = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
    const VkSemaphore from = semaphore_new(w, &export);
    const VkSemaphore to = semaphore_new(w, NULL);
    const VkFence fence = fence_new(w, NULL);
    const VkSemaphoreGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
                                         .semaphore = from,
                                         .handleType =
                                             VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
    VkImportSemaphoreFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
                                         .semaphore = to,
                                         .flags = VK_SEMAPHORE_IMPORT_TEMPORARY_BIT,
                                         .handleType =
                                             VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT};
    struct pollfd ready = {.events = POLLIN};
    submit(w, VK_NULL_HANDLE, 0, from, 0, VK_NULL_HANDLE);
    need(w->get_semaphore_fd(w->device, &get, &ready.fd), "vkGetSemaphoreFdKHR");
    printf("POLL %d\n", poll(&ready, 1, 1000));
    import.fd = ready.fd;
    need(w->import_semaphore_fd(w->device, &import), "vkImportSemaphoreFdKHR");
    submit(w, to, 0, VK_NULL_HANDLE, 0, fence);
    printf("IMPORTED %d\n", (int)vkWaitForFences(w->device, 1, &fence, VK_TRUE, second_ns));
    vkDestroyFence(w->device, fence, NULL);
    vkDestroySemaphore(w->device, to, NULL);
    vkDestroySemaphore(w->device, from, NULL);
}

/* Two fences share one state: a signal of the first also signals the second. */
static void fence_file(const world *w)
{
    const VkExportFenceCreateInfo export = {.sType = VK_STRUCTURE_TYPE_EXPORT_FENCE_CREATE_INFO,
                                            .handleTypes =
                                                VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkFence from = fence_new(w, &export);
    const VkFence to = fence_new(w, NULL);
    const VkFenceGetFdInfoKHR get = {.sType = VK_STRUCTURE_TYPE_FENCE_GET_FD_INFO_KHR,
                                     .fence = from,
                                     .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
    VkImportFenceFdInfoKHR import = {.sType = VK_STRUCTURE_TYPE_IMPORT_FENCE_FD_INFO_KHR,
                                     .fence = to,
                                     .handleType = VK_EXTERNAL_FENCE_HANDLE_TYPE_OPAQUE_FD_BIT};
    need(w->get_fence_fd(w->device, &get, &import.fd), "vkGetFenceFdKHR");
    need(w->import_fence_fd(w->device, &import), "vkImportFenceFdKHR");
    printf("BEFORE %d\n", (int)vkGetFenceStatus(w->device, to));
    submit(w, VK_NULL_HANDLE, 0, VK_NULL_HANDLE, 0, from);
    printf("SHARED %d\n", (int)vkWaitForFences(w->device, 1, &to, VK_TRUE, second_ns));
    need(vkResetFences(w->device, 1, &to), "vkResetFences");
    printf("RESET %d\n", (int)vkGetFenceStatus(w->device, from));
    vkDestroyFence(w->device, to, NULL);
    vkDestroyFence(w->device, from, NULL);
}

int main(int argc, char **argv)
{
    world w;
    setvbuf(stdout, NULL, _IONBF, 0);
    memset(&w, 0, sizeof w);
    open_device(&w, argc > 1 ? argv[1] : NULL);
    timeline(&w);
    semaphore_file(&w);
    fence_file(&w);
    printf("IDLE %d\n", (int)vkQueueWaitIdle(w.queue));
    vkDestroyDevice(w.device, NULL);
    vkDestroyInstance(w.instance, NULL);
    printf("DONE\n");
    return 0;
}
