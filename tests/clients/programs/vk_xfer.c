/* Vulkan 1.0: two submissions, each with a fence. Each command buffer has a
 * timestamp, work, a barrier, a second timestamp and an event. The first work is a
 * copy, a fill and an update; the second is a dispatch. Results that need no shader
 * are exact: the results of the calls, the timestamps, the event. */
#include <vulkan/vulkan.h>

#include "client.h"
#include "vk_xfer_spv.h"

enum { BUFFER = 65536, COPIED = 4096, FILLED = 4096, UPDATED = 16, INVOCATIONS = 256 };
enum { PATTERN_A = 33, PATTERN_UPDATE = 34 };

typedef struct world {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkBuffer buffer[2];
    VkDeviceMemory memory[2];
    uint8_t *bytes[2];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool sets;
    VkDescriptorSet set;
    VkQueryPool times;
    VkEvent event;
    VkFence fence;
    VkCommandPool commands;
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
    uint32_t count = 1;
    VkResult result;
    need(vkCreateInstance(&instance_info, NULL, &w->instance), "vkCreateInstance");
    result = vkEnumeratePhysicalDevices(w->instance, &count, &w->physical);
    client_need((result == VK_SUCCESS || result == VK_INCOMPLETE) && count == 1, "device");
    vkGetPhysicalDeviceProperties(w->physical, &properties);
    client_name(properties.deviceName, text);
    printf("VENDOR %" PRIx32 "\n", properties.vendorID);
    need(vkCreateDevice(w->physical, &device_info, NULL, &w->device), "vkCreateDevice");
    vkGetDeviceQueue(w->device, 0, 0, &w->queue);
}

static void make_buffer(world *w, int i)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BUFFER,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                              VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    VkPhysicalDeviceMemoryProperties types;
    VkMemoryRequirements needed;
    void *bytes;
    need(vkCreateBuffer(w->device, &info, NULL, &w->buffer[i]), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(w->device, w->buffer[i], &needed);
    vkGetPhysicalDeviceMemoryProperties(w->physical, &types);
    while (allocate.memoryTypeIndex < types.memoryTypeCount &&
           ((needed.memoryTypeBits >> allocate.memoryTypeIndex & 1) == 0 ||
            (types.memoryTypes[allocate.memoryTypeIndex].propertyFlags & wanted) != wanted)) {
        allocate.memoryTypeIndex++;
    }
    client_need(allocate.memoryTypeIndex < types.memoryTypeCount, "memory type");
    allocate.allocationSize = needed.size;
    need(vkAllocateMemory(w->device, &allocate, NULL, &w->memory[i]), "vkAllocateMemory");
    need(vkBindBufferMemory(w->device, w->buffer[i], w->memory[i], 0), "vkBindBufferMemory");
    need(vkMapMemory(w->device, w->memory[i], 0, VK_WHOLE_SIZE, 0, &bytes), "vkMapMemory");
    w->bytes[i] = bytes;
}

static void make_layout(world *w)
{
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}
    };
    const VkDescriptorSetLayoutCreateInfo set_info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &w->set_layout};
    need(vkCreateDescriptorSetLayout(w->device, &set_info, NULL, &w->set_layout),
         "vkCreateDescriptorSetLayout");
    need(vkCreatePipelineLayout(w->device, &info, NULL, &w->layout), "vkCreatePipelineLayout");
}

static void make_pipeline(world *w)
{
    const VkShaderModuleCreateInfo shader_info = {.sType =
                                                      VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                  .codeSize = sizeof vk_xfer_spv,
                                                  .pCode = vk_xfer_spv};
    VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                        .layout = w->layout};
    VkShaderModule shader;
    need(vkCreateShaderModule(w->device, &shader_info, NULL, &shader), "vkCreateShaderModule");
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = shader;
    info.stage.pName = "main";
    need(vkCreateComputePipelines(w->device, VK_NULL_HANDLE, 1, &info, NULL, &w->pipeline),
         "vkCreateComputePipelines");
    vkDestroyShaderModule(w->device, shader, NULL);
}

static void make_set(world *w)
{
    const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 1,
                                             .pPoolSizes = &size};
    VkDescriptorSetAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &w->set_layout};
    const VkDescriptorBufferInfo buffers[2] = {
        {w->buffer[0], 0, VK_WHOLE_SIZE},
        {w->buffer[1], 0, VK_WHOLE_SIZE}
    };
    VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                  .descriptorCount = 2,
                                  .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                  .pBufferInfo = buffers};
    need(vkCreateDescriptorPool(w->device, &info, NULL, &w->sets), "vkCreateDescriptorPool");
    allocate.descriptorPool = w->sets;
    need(vkAllocateDescriptorSets(w->device, &allocate, &w->set), "vkAllocateDescriptorSets");
    write.dstSet = w->set;
    vkUpdateDescriptorSets(w->device, 1, &write, 0, NULL);
}

static void make_sync(world *w)
{
    const VkQueryPoolCreateInfo times = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                         .queryCount = 2};
    const VkEventCreateInfo event = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkCommandPoolCreateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    need(vkCreateQueryPool(w->device, &times, NULL, &w->times), "vkCreateQueryPool");
    need(vkCreateEvent(w->device, &event, NULL, &w->event), "vkCreateEvent");
    need(vkCreateFence(w->device, &fence, NULL, &w->fence), "vkCreateFence");
    need(vkCreateCommandPool(w->device, &commands, NULL, &w->commands), "vkCreateCommandPool");
}

static void record_work(const world *w, VkCommandBuffer cb, bool dispatch, const void *update)
{
    const VkBufferCopy copy = {0, 0, COPIED};
    if (dispatch) {
        vkCmdBindPipeline(cb, VK_PIPELINE_BIND_POINT_COMPUTE, w->pipeline);
        vkCmdBindDescriptorSets(cb, VK_PIPELINE_BIND_POINT_COMPUTE, w->layout, 0, 1, &w->set, 0,
                                NULL);
        vkCmdDispatch(cb, INVOCATIONS / 64, 1, 1);
    } else {
        vkCmdCopyBuffer(cb, w->buffer[0], w->buffer[1], 1, &copy);
        vkCmdFillBuffer(cb, w->buffer[1], COPIED, FILLED, 0xdeadbeef);
        vkCmdUpdateBuffer(cb, w->buffer[1], COPIED + FILLED, UPDATED, update);
    }
}

static VkCommandBuffer record(const world *w, bool dispatch, const void *update)
{
    const VkCommandBufferAllocateInfo allocate = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = w->commands,
        .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    VkCommandBuffer cb;
    need(vkAllocateCommandBuffers(w->device, &allocate, &cb), "vkAllocateCommandBuffers");
    need(vkBeginCommandBuffer(cb, &begin), "vkBeginCommandBuffer");
    vkCmdResetQueryPool(cb, w->times, 0, 2);
    vkCmdWriteTimestamp(cb, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, w->times, 0);
    record_work(w, cb, dispatch, update);
    vkCmdPipelineBarrier(cb, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                         &barrier, 0, NULL, 0, NULL);
    vkCmdWriteTimestamp(cb, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, w->times, 1);
    vkCmdSetEvent(cb, w->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    need(vkEndCommandBuffer(cb), "vkEndCommandBuffer");
    return cb;
}

/* Submit, wait, and check the results. */
static void submit(const world *w, bool dispatch, const void *update)
{
    const VkCommandBuffer cb = record(w, dispatch, update);
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &cb};
    uint64_t at[2] = {0, 0};
    VkResult result;
    printf("%s\n", dispatch ? "DISPATCH" : "TRANSFER");
    printf("SUBMIT %d\n", (int)vkQueueSubmit(w->queue, 1, &info, w->fence));
    result = vkWaitForFences(w->device, 1, &w->fence, VK_TRUE, 2000000000);
    printf("FENCE %d\n", (int)result);
    need(vkResetFences(w->device, 1, &w->fence), "vkResetFences");
    result = vkGetQueryPoolResults(w->device, w->times, 0, 2, sizeof at, at, sizeof at[0],
                                   VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
    printf("RESULTS %d\n", (int)result);
    printf("TIMES %s\n", at[0] > 0 && at[0] <= at[1] ? "ORDERED" : "WRONG");
    printf("EVENT %d\n", (int)vkGetEventStatus(w->device, w->event));
    need(vkResetEvent(w->device, w->event), "vkResetEvent");
}

/* Run both submissions and compare their data. Most GPUs move the data by draws and
 * shaders. */
static void run(const world *w)
{
    static uint8_t want[BUFFER];
    uint8_t update[UPDATED];
    const uint8_t fill[4] = {0xef, 0xbe, 0xad, 0xde};
    client_pattern(update, sizeof update, PATTERN_UPDATE);
    client_pattern(w->bytes[0], BUFFER, PATTERN_A);
    client_poison(w->bytes[1], BUFFER);
    client_poison(want, BUFFER);
    submit(w, false, update);
    client_pattern(want, COPIED, PATTERN_A);
    for (size_t i = 0; i < FILLED; i++) {
        want[COPIED + i] = fill[i % 4];
    }
    memcpy(want + COPIED + FILLED, update, sizeof update);
    client_compare("COPY", w->bytes[1], want, COPIED);
    client_compare("FILL", w->bytes[1] + COPIED, want + COPIED, FILLED);
    client_compare("UPDATE", w->bytes[1] + COPIED + FILLED, want + COPIED + FILLED, UPDATED);
    client_poison(w->bytes[1], BUFFER);
    submit(w, true, update);
    for (size_t i = 0; i < INVOCATIONS; i++) {
        uint32_t a;
        memcpy(&a, w->bytes[0] + 4 * i, sizeof a);
        a = 3 * a + 1;
        memcpy(want + 4 * i, &a, sizeof a);
    }
    client_compare("COMPUTE", w->bytes[1], want, (size_t)INVOCATIONS * 4);
}

static void close_device(world *w)
{
    vkDestroyCommandPool(w->device, w->commands, NULL);
    vkDestroyFence(w->device, w->fence, NULL);
    vkDestroyEvent(w->device, w->event, NULL);
    vkDestroyQueryPool(w->device, w->times, NULL);
    vkDestroyDescriptorPool(w->device, w->sets, NULL);
    vkDestroyPipeline(w->device, w->pipeline, NULL);
    vkDestroyPipelineLayout(w->device, w->layout, NULL);
    vkDestroyDescriptorSetLayout(w->device, w->set_layout, NULL);
    for (int i = 0; i < 2; i++) {
        vkDestroyBuffer(w->device, w->buffer[i], NULL);
        vkFreeMemory(w->device, w->memory[i], NULL);
    }
    vkDestroyDevice(w->device, NULL);
    vkDestroyInstance(w->instance, NULL);
}

int main(int argc, char **argv)
{
    world w;
    memset(&w, 0, sizeof w);
    setvbuf(stdout, NULL, _IONBF, 0);
    open_device(&w, argc > 1 ? argv[1] : NULL);
    make_buffer(&w, 0);
    make_buffer(&w, 1);
    make_layout(&w);
    make_pipeline(&w);
    make_set(&w);
    make_sync(&w);
    run(&w);
    printf("IDLE %d\n", (int)vkQueueWaitIdle(w.queue));
    close_device(&w);
    printf("DONE\n");
    return 0;
}
