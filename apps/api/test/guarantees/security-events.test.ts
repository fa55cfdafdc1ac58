import { describe, test } from 'vitest'
import { roomFacts } from '../../src/rooms/facts.ts'
import { ask, freshClient, seenVersion } from '../asking.ts'
import { furnishedApp } from '../furnished.ts'
import { byRoom } from '../operations.ts'
import { walk } from '../prospects.ts'

/* Tests the list of security events with all events that the fixtures and the changing operations of a room produce. */

type Event = { id: string; action: string }

describe.each(byRoom(({ isOpen, method }) => !isOpen && method !== 'get'))('the events of %s', (room, changing) => {
  test('are security events exactly if the room declares their action so', async ({ expect }) => {
    const { t, place } = await furnishedApp()
    for (const operation of changing) {
      const client = await freshClient(t, 'administrator')
      await ask(operation, place, { client, headers: await seenVersion(operation, place, client) })
    }
    const administrator = await freshClient(t, 'administrator')
    const all = await walk<Event>(administrator, '/audit-events', 200)
    const listed = await walk<Event>(administrator, '/security-events', 200)
    const { securityActions = {}, workActions = {} } = roomFacts.find((one) => one.room === room) ?? {}
    const ofRoom = ({ action }: Event) => action in securityActions || action in workActions
    expect(listed.filter(ofRoom)).toEqual(all.filter(({ action }) => action in securityActions))
  })
})
