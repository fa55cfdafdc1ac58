/**
 * Loaded before the program of a managed process. The process's standard input is a pipe, which closes when the starter ends, even by kill -9. The
 * whole process group is then stopped, because `node --watch` and its child are two processes.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.stdin.once('close', () => process.kill(0, 'SIGTERM'))
  process.stdin.resume().unref()
}
