import type { Capability } from '../define-facts.ts'
import { roomFacts } from '../facts.ts'
import type { CapabilityContext, Room } from '../room.ts'
import { capabilities } from './capabilities.data.ts'

/** Returns the capabilities of the running program by phase. A room can override the status that its facts declare. */
export async function readCapabilities(
  rooms: readonly Room[],
  context: CapabilityContext,
): Promise<Required<Capability>[]> {
  const now = new Map<number, Partial<Capability>>()
  for (const { name, capability } of rooms) {
    if (capability === undefined) continue
    const otherwise = await capability(context)
    const declared: readonly Capability[] = roomFacts.find(({ room }) => room === name)?.capabilities ?? []
    for (const { phase } of declared) now.set(phase, otherwise)
  }
  return capabilities.map((one) => ({ ...one, ...now.get(one.phase) }))
}
