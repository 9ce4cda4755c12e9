/* Vulkan 1.0: a program with a mistake, and what its driver reports.
 *   vk_faults TEXT KIND
 * KIND is one of:
 *   freed   a copy to a buffer whose memory was freed: an unmapped address
 *   event   a wait for an event that nothing sets: a hang
 * The program prints the results of the submission, of its fence, and of a second
 * submission that has no mistake: -4 is VK_ERROR_DEVICE_LOST. */
#include "client_vk.h"

enum { BYTES = 65536 };

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

int main(int argc, char **argv)
{
    const char *kind = argc > 2 ? argv[2] : "freed";
    VkCommandBuffer commands;
    VkResult result;
    client_vk c;
    setvbuf(stdout, NULL, _IONBF, 0);
    memset(&c, 0, sizeof c);
    client_vk_open(&c, argc > 1 ? argv[1] : NULL, NULL, 0, NULL, false);
    commands = client_vk_begin(&c);
    if (strcmp(kind, "event") == 0) {
        wait_for_event(&c, commands);
    } else {
        copy_to_freed(&c, commands);
    }
    printf("SUBMIT %d\n", (int)client_vk_submit(&c, commands, VK_NULL_HANDLE, VK_NULL_HANDLE));
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
