import { existsSync } from 'node:fs'
import type { Gate } from '../../acceptance/gates.ts'

/** Loads the gates of these rooms from their `<room>.acceptance.ts`, in the order of rooms. A room without requirements has none. */
export async function loadGates(rooms: readonly { name: string }[]): Promise<Gate[]> {
  const gates: Gate[] = []
  for (const { name } of rooms) {
    const file = new URL(`../../rooms/${name}/${name}.acceptance.ts`, import.meta.url)
    if (!existsSync(file)) continue
    const module: { gates: readonly Gate[] } = await import(file.href)
    gates.push(...module.gates)
  }
  return gates
}
