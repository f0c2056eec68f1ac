// Shows ThreadSanitizer the locks of `Synchronization.Mutex` that have to wait.
//
// A free mutex is locked by code that is compiled into the caller, which the sanitizer sees. A contended one is locked and
// unlocked by functions of libswiftSynchronization. That library is built without the sanitizer, so each wait for a lock would be
// reported as a race. These functions replace the library's when this file is loaded first (LD_PRELOAD). They call the
// library's, and tell the sanitizer that the lock is acquired or released. Where the sanitizer is absent they do only the former.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Synchronization._MutexHandle._lockSlow(UInt32) and _unlockSlow(), whose self is the address of the mutex.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef __attribute__((swiftcall)) void LockSlow(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void UnlockSlow(__attribute__((swift_context)) void *mutex);

LockSlow acquire_mutex __asm__(LOCK_SLOW);
UnlockSlow release_mutex __asm__(UNLOCK_SLOW);

__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

// The library's function of the same name.
static void *original(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function == NULL) {
    fprintf(stderr, "mutex-annotations: %s is not in libswiftSynchronization\n", name);
    abort();
  }
  return function;
}

__attribute__((swiftcall)) void acquire_mutex(uint32_t thread, __attribute__((swift_context)) void *mutex) {
  ((LockSlow *)original(LOCK_SLOW))(thread, mutex);
  if (__tsan_acquire != NULL) __tsan_acquire(mutex);
}

__attribute__((swiftcall)) void release_mutex(__attribute__((swift_context)) void *mutex) {
  if (__tsan_release != NULL) __tsan_release(mutex);
  ((UnlockSlow *)original(UNLOCK_SLOW))(mutex);
}
