// OpenCL C 2.0: work-item functions in incomplete workgroups, local memory as an argument, vectors, atomics.
struct place {
  uint global_id[3], global_size[3], local_id[3], local_size[3], enqueued_size[3], group[3], groups[3], offset[3], dim,
      linear, local_linear;
};

__kernel void places(__global struct place* out) {
  const size_t at = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
  __global struct place* p = &out[at];
  for (uint d = 0; d < 3; ++d) {
    p->global_id[d] = get_global_id(d);
    p->global_size[d] = get_global_size(d);
    p->local_id[d] = get_local_id(d);
    p->local_size[d] = get_local_size(d);
    p->enqueued_size[d] = get_enqueued_local_size(d);
    p->group[d] = get_group_id(d);
    p->groups[d] = get_num_groups(d);
    p->offset[d] = get_global_offset(d);
  }
  p->dim = get_work_dim();
  p->linear = get_global_linear_id();
  p->local_linear = get_local_linear_id();
}

// Two blocks of local memory whose sizes the launch gives.
__kernel void local_arguments(__global const uint* in, __local uint* a, __local ulong* b, __global ulong* out) {
  const size_t i = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
  a[i] = in[g];
  b[i] = (ulong)in[g] << 20;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = a[n - 1 - i] + b[(i + 1) % n];
}

__constant uint primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void vectors(__global const float4* in, __global float4* out,
                                                                       __constant uint* scale) {
  const size_t i = get_global_id(0);
  const float4 v = in[i];
  out[i] = (float4)(dot(v, v.wzyx), fma(v.x, v.y, v.z), (float)(primes[i % 8] * scale[0]), mad24((int)i, 3, 1));
}

// Generic pointers, C11 atomics, work-group functions.
__kernel void atomics(__global atomic_uint* sum, __global uint* out) {
  __local atomic_uint counter;
  if (get_local_id(0) == 0) atomic_init(&counter, 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  atomic_uint* const any = get_global_id(0) % 2 == 0 ? (atomic_uint*)&counter : (atomic_uint*)sum;
  atomic_fetch_add_explicit(any, get_global_id(0), memory_order_relaxed, memory_scope_device);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = atomic_load(&counter);
}
// SPDX-License-Identifier: Apache-2.0
