/**
 * Loaded before the program of a managed process: the pipe that is its standard input closes when whoever started it is gone, also by a
 * kill -9. All of the process group is then asked to stop, as `node --watch` and what it runs are two processes.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.stdin.once('close', () => process.kill(0, 'SIGTERM'))
  process.stdin.resume().unref()
}
