/* OpenCL: write, read, copy, fill and map of a buffer, and a kernel, of which only the progress is
 * checked, because no shader is executed. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "client.h"

enum { BYTES = 65536 };

static uint8_t want[BYTES];
static uint8_t got[BYTES];

static void need(cl_int error, const char *what)
{
    if (error != CL_SUCCESS) {
        printf("%s %d\n", what, error);
        exit(CLIENT_FAILED);
    }
}

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;

static void open_device(void)
{
    cl_platform_id platform;
    char name[256] = "";
    cl_int error;
    client_need(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "platform");
    client_need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL) == CL_SUCCESS,
                "device");
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    client_name(name, "Intel(R)");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "clCreateContext");
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    need(error, "clCreateCommandQueue");
}

/* Write two buffers, read one back, copy a part of it to the other, and map the other. */
static void move_data(void)
{
    cl_int error;
    cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    void *at;
    need(error, "clCreateBuffer");
    client_pattern(want, BYTES, 1);
    client_poison(got, BYTES);
    need(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, BYTES, want, 0, NULL, NULL), "write");
    need(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, BYTES, got, 0, NULL, NULL), "read");
    client_compare("READ", got, want, BYTES);
    client_pattern(want, BYTES, 2);
    need(clEnqueueWriteBuffer(queue, b, CL_TRUE, 0, BYTES, want, 0, NULL, NULL), "write");
    at = clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL,
                            &error);
    need(error, "map");
    client_compare("MAP", at, want, BYTES);
    client_pattern(at, BYTES, 3);
    need(clEnqueueUnmapMemObject(queue, b, at, 0, NULL, NULL), "unmap");
    client_pattern(want, BYTES, 3);
    client_poison(got, BYTES);
    need(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, BYTES, got, 0, NULL, NULL), "read");
    client_compare("UNMAP", got, want, BYTES);
    need(clEnqueueCopyBuffer(queue, a, b, 0, 4096, 4096, 0, NULL, NULL), "copy");
    need(clFinish(queue), "finish"); /* a kernel, whose data do not move */
    printf("COPIED\n");
    clReleaseMemObject(a);
    clReleaseMemObject(b);
}

/* Run a built-in kernel of the driver: the fill of a buffer. Print whether its times grow. */
static void measure(void)
{
    const cl_uint value = 0x01020304;
    cl_ulong start = 0;
    cl_ulong end = 0;
    cl_event event;
    cl_int error;
    cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
    need(error, "clCreateBuffer");
    need(clEnqueueFillBuffer(queue, a, &value, 4, 0, BYTES, 0, NULL, &event), "fill");
    need(clWaitForEvents(1, &event), "wait");
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    printf("TIMES %s\n", end >= start && end > 0 ? "ORDERED" : "WRONG");
    clReleaseEvent(event);
    clReleaseMemObject(a);
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    open_device();
    move_data();
    measure();
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("DONE\n");
    return 0;
}
