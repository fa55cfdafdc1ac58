import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryStore } from '../../../../test/temporary-store.ts'
import { BLOCKED } from '../../../lib/score-codes.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { notScored } from '../scores/stored-result.ts'

test('the trigger that blocks a score writes the codes of lib/score-codes.ts', () => {
  const store = temporaryStore()
  const connection = openConnection(join(store.dataDir, STORE_FILE), { readonly: true })
  const text = connection
    .prepare<[], string>(`SELECT sql FROM sqlite_schema WHERE name = 'scores_follow_businesses'`)
    .pluck()
    .get()
  connection.close()
  const [, assignments = ''] = /UPDATE scores SET (.+)$/m.exec(text ?? '') ?? []
  const written = Object.fromEntries(
    assignments.split(',').map((one) => {
      const [column = '', value = ''] = one.split('=').map((part) => part.trim())
      return [column, value === 'NULL' ? null : Number(value)]
    }),
  )
  expect(written).toEqual({ ...notScored, eligibility: BLOCKED })
})
