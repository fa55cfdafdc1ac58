import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    noteId: string
  }
}

const note = { text: 'Call in May.', sensitive: true }

export const fixture: RoomFixture = {
  records: async ({ client, place: { businessId } }) => {
    const add = async () => idIn(await client.post(`/businesses/${businessId}/notes`, note))
    const noteId = await add()
    await add()
    return { noteId }
  },
  cases: { listNotes: { permission: 'notes.read' }, addNote: { permission: 'notes.write', body: note } },
}
