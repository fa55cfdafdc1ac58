import type { ChangeStore } from '../../../store/change/change-store.ts'

/** The door for what is derived from records and can be derived again: keys and positions, nothing that a person said. */
export async function keepDerived({ writes }: Pick<ChangeStore, 'writes'>, work: () => Promise<void>): Promise<void> {
  await writes.write(async () => {
    await work()
    return { keep: true, value: undefined }
  })
}
