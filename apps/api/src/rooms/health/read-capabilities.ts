import type { Capability } from '../define-facts.ts'
import { roomFacts } from '../facts.ts'
import type { CapabilityContext, Room } from '../room.ts'
import { capabilities } from './capabilities.data.ts'

/** Returns the capabilities of the running program by phase. A room can override the status that its facts declare. */
export async function readCapabilities(rooms: readonly Room[], context: CapabilityContext): Promise<Capability[]> {
  const now = new Map<Capability, Partial<Capability>>()
  for (const { name, capability } of rooms) {
    if (capability === undefined) continue
    const otherwise = await capability(context)
    const declared: readonly Capability[] = roomFacts.find(({ room }) => room === name)?.capabilities ?? []
    for (const one of declared) now.set(one, otherwise)
  }
  return capabilities.map((one) => ({ ...one, ...now.get(one) }))
}
