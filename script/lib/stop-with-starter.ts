/**
 * Loaded before the program of a managed process. The process's standard input is a pipe that closes when the starter has ended, also by kill -9. It
 * then stops the whole process group, because `node --watch` and its child are two processes.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.stdin.once('close', () => process.kill(0, 'SIGTERM'))
  process.stdin.resume().unref()
}
