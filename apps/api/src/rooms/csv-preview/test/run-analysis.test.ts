import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/temporary-store.ts'
import { runAnalysis, runWindow } from '../csv/run-analysis.ts'
import { emptyAnalysis } from './empty-analysis.ts'

test('a tenant has at most four waiting files, and those of another tenant still wait', async () => {
  const dataDir = temporaryFolder()
  const end = new AbortController()
  const analyse = (tenantId: string) =>
    runAnalysis({
      dataDir,
      request: { path: `${dataDir}/none.csv`, tenantId, chosen: {}, mapping: undefined, phoneRegion: null },
      maxPackedBytes: 1_000,
      lane: 'small',
      signal: end.signal,
    })
  const own = Promise.allSettled(Array.from({ length: 5 }, () => analyse('home')))
  await expect(analyse('home')).rejects.toMatchObject({
    code: 'too_many_waiting',
    message: 'This workspace has 4 waiting files; the limit is 4. Try again when some of them have ended.',
    details: { limit: 'waiting_csv_files', size: 4, max: 4 },
  })
  const other = Promise.allSettled([analyse('other')])
  end.abort(new Error('Enough.'))
  for (const result of [...(await own).slice(1), ...(await other)])
    expect(result).toMatchObject({ status: 'rejected', reason: { message: 'Enough.' } })
})

test('a tenant has at most sixteen waiting lists of rows', async () => {
  const end = new AbortController()
  const { dialect, columns, index } = emptyAnalysis
  const content = { blocks: [], bytes: 0, packedBytes: 0 }
  const range = { show: 'all', rows: 0, after: 0, limit: 1 } as const
  const window = { tenantId: 'home', form: { dialect, columns }, phoneRegion: null, index, ...range }
  const read = () => runWindow(temporaryFolder(), content, window, end.signal)
  const own = Promise.allSettled(Array.from({ length: 17 }, read))
  await expect(read()).rejects.toMatchObject({
    code: 'too_many_waiting',
    details: { limit: 'waiting_csv_rows', size: 16, max: 16 },
  })
  end.abort(new Error('Enough.'))
  for (const result of (await own).slice(1))
    expect(result).toMatchObject({ status: 'rejected', reason: { message: 'Enough.' } })
})
