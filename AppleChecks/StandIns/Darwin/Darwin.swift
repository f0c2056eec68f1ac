// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized
// The parts of Apple's C library that the project uses and Linux's lacks. Each comment names the source of the
// declaration.
//
// This module can extend Linux's C library but cannot replace its types. Types such as `stat` are therefore Linux's,
// with the members of Apple's.

public import Glibc

// MARK: Files

// <sys/fcntl.h>, fcntl(2)
public let F_FULLFSYNC: Int32 = 51
// <sys/fcntl.h>, open(2)
public let O_EVTONLY: Int32 = 0x8000

extension stat {
  // <sys/stat.h>, stat(2)
  public var st_mtimespec: timespec { st_mtim }
}

// MARK: Time

// <time.h>, clock_gettime(3)
public func clock_gettime_nsec_np(_: clockid_t) -> UInt64 { 0 }

// MARK: Signals

extension sigaction {
  // <sys/signal.h>, sigaction(2)
  public struct __sigaction_u {
    public var __sa_handler: (@convention(c) (Int32) -> Void)!
  }

  // <sys/signal.h>, sigaction(2)
  public var __sigaction_u: __sigaction_u {
    get { .init(__sa_handler: __sigaction_handler.sa_handler) }
    set { __sigaction_handler.sa_handler = newValue.__sa_handler }
  }
}

// MARK: Processes

// <sys/resource.h>, getrlimit(2): the resource is a number as it is named
public func getrlimit(
  _ resource: __rlimit_resource,
  _ limit: UnsafeMutablePointer<rlimit>
) -> Int32 {
  Glibc.getrlimit(__rlimit_resource_t(resource.rawValue), limit)
}

extension siginfo_t {
  // <sys/signal.h>, waitid(2)
  public var si_pid: pid_t { 0 }
}

// <sys/socket.h>, setsockopt(2)
public let SO_NOSIGPIPE: Int32 = 0x1022

// <sys/sysctl.h>, sysctl(3)
public let CTL_KERN: Int32 = 1
// <sys/sysctl.h>, sysctl(3)
public let KERN_PROC: Int32 = 14
// <sys/sysctl.h>, sysctl(3)
public let KERN_PROC_PID: Int32 = 1
// <sys/proc.h>
public let P_TRACED: Int32 = 0x800

// <sys/sysctl.h>
public struct kinfo_proc {
  public var kp_proc = extern_proc()
  public init() {}
}

// <sys/proc.h>
public struct extern_proc {
  public var p_flag: Int32 = 0
  public init() {}
}

// <sys/sysctl.h>, sysctl(3)
@discardableResult
public func sysctl(
  _: UnsafeMutablePointer<Int32>!,
  _: UInt32,
  _: UnsafeMutableRawPointer!,
  _: UnsafeMutablePointer<Int>!,
  _: UnsafeMutableRawPointer!,
  _: Int
) -> Int32 { -1 }

// In <spawn.h>, these two types are pointers, which Swift imports as optionals.

// <spawn.h>, posix_spawn_file_actions_init(3)
@discardableResult
public func posix_spawn_file_actions_init(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { 0 }

// <spawn.h>, posix_spawn_file_actions_init(3)
@discardableResult
public func posix_spawn_file_actions_destroy(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!
) -> Int32 { 0 }

// <spawn.h>, posix_spawn_file_actions_addopen(3)
@discardableResult
public func posix_spawn_file_actions_addopen(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!,
  _: Int32,
  _: UnsafePointer<CChar>!,
  _: Int32,
  _: mode_t
) -> Int32 { 0 }

// <spawn.h>, posix_spawn_file_actions_adddup2(3)
@discardableResult
public func posix_spawn_file_actions_adddup2(
  _: UnsafeMutablePointer<posix_spawn_file_actions_t?>!,
  _: Int32,
  _: Int32
) -> Int32 { 0 }

// <spawn.h>, posix_spawnattr_init(3)
@discardableResult
public func posix_spawnattr_init(_: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }

// <spawn.h>, posix_spawnattr_init(3)
@discardableResult
public func posix_spawnattr_destroy(_: UnsafeMutablePointer<posix_spawnattr_t?>!) -> Int32 { 0 }

// <spawn.h>, posix_spawnattr_setsigdefault(3)
@discardableResult
public func posix_spawnattr_setsigdefault(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!,
  _: UnsafePointer<sigset_t>!
) -> Int32 { 0 }

// <spawn.h>, posix_spawnattr_setsigmask(3)
@discardableResult
public func posix_spawnattr_setsigmask(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!,
  _: UnsafePointer<sigset_t>!
) -> Int32 { 0 }

// <spawn.h>, posix_spawnattr_setflags(3)
@discardableResult
public func posix_spawnattr_setflags(
  _: UnsafeMutablePointer<posix_spawnattr_t?>!,
  _: Int16
) -> Int32 { 0 }

// <spawn.h>, posix_spawn(2)
@discardableResult
public func posix_spawn(
  _: UnsafeMutablePointer<pid_t>!,
  _: UnsafePointer<CChar>!,
  _: UnsafePointer<posix_spawn_file_actions_t?>!,
  _: UnsafePointer<posix_spawnattr_t?>!,
  _: UnsafePointer<UnsafeMutablePointer<CChar>?>!,
  _: UnsafePointer<UnsafeMutablePointer<CChar>?>!
) -> Int32 { -1 }
