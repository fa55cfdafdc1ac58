import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Collects what is no longer used and gives whole pages back to the system: 9 MB after loading and compiling the program, which would
 * otherwise stay for good, because an idle process collects nothing. It takes 20 ms of processor time, on one core 66 ms in
 * all, during which no request is answered.
 */
export function giveMemoryBack(): void {
  setFlagsFromString('--expose-gc')
  const collect: Collect = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
