import type { Connection } from 'mysql2/promise'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { applyUpgrade } from '../src/apply-upgrade.ts'
import { rowOf } from '../src/connection.ts'
import { createStore } from './store.ts'

/** Number of rows. A million takes a minute or two and gives the same plans; set JOBCARD_STORE_ROWS for it. */
const rowCount = Number(process.env.JOBCARD_STORE_ROWS ?? 200_000)
const parentCount = 2_000

const planRow = z.object({ table: z.string(), key: z.string().nullable(), Extra: z.string().nullable() })

test(`with ${rowCount} rows the three queries of the application each use the index that is made for them`, async () => {
  const { db } = await createStore()
  await applyUpgrade(db)
  await fill(db)

  const unread = await plan(
    db,
    'SELECT id, title, created_at FROM notifications WHERE user_id = 77 AND read_at IS NULL ORDER BY created_at DESC LIMIT 20',
  )
  expect(unread).toMatchObject({ table: 'notifications', key: 'notification_unread_idx' })
  expect(unread.Extra).not.toContain('filesort')

  const history = await plan(
    db,
    'SELECT from_status, to_status, changed_by, changed_at FROM jobcard_status_history WHERE jobcard_id = 77 ORDER BY changed_at',
  )
  expect(history).toMatchObject({ table: 'jobcard_status_history', key: 'status_history_jobcard_idx' })
  expect(history.Extra ?? '').not.toContain('filesort')

  const attachments = await plan(
    db,
    'SELECT original_name, stored_name, file_size FROM attachments WHERE jobcard_id = 77',
  )
  expect(attachments).toMatchObject({ table: 'attachments', key: 'attachments_jobcard_idx' })
}, 600_000)

async function plan(db: Connection, query: string): Promise<z.infer<typeof planRow>> {
  return await rowOf(db, planRow, `EXPLAIN FORMAT=TRADITIONAL ${query}`)
}

/** Inserts rows that are spread evenly over users and job cards. Nine notifications in ten are read. */
async function fill(db: Connection): Promise<void> {
  await db.query('SET SESSION unique_checks = 0, SESSION foreign_key_checks = 0')
  await db.query('CREATE TABLE numbers (n INT UNSIGNED PRIMARY KEY)')
  const digit =
    '(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)'
  const digits = ['a', 'b', 'c', 'd', 'e', 'f']
  const number = digits.map((name, index) => `${name}.d * ${10 ** index}`).join(' + ')
  await db.query(
    `INSERT INTO numbers SELECT ${number} AS n FROM ${digits.map((name) => `${digit} AS ${name}`).join(', ')} HAVING n < ${rowCount}`,
  )
  for (const parent of ['users', 'jobcards']) {
    await db.query(`INSERT INTO ${parent} (id) SELECT n + 1 FROM numbers WHERE n < ${parentCount}`)
  }
  await db.query(
    `INSERT INTO notifications (user_id, type, title, deduplication_key, read_at, created_at)
     SELECT 1 + n % ${parentCount}, 'status', CONCAT('Job card ', n), CONCAT('key ', n),
       IF(n % 10 = 7, NULL, '2026-06-01'), DATE_ADD('2026-01-01', INTERVAL n SECOND)
     FROM numbers`,
  )
  await db.query(
    `INSERT INTO jobcard_status_history (jobcard_id, from_status, to_status, changed_at)
     SELECT 1 + n % ${parentCount}, 'open', 'closed', DATE_ADD('2026-01-01', INTERVAL n SECOND) FROM numbers`,
  )
  await db.query(
    `INSERT INTO attachments (jobcard_id, original_name, stored_name, mime_type, file_size)
     SELECT 1 + n % ${parentCount}, CONCAT(n, '.png'), SHA2(n, 256), 'image/png', n FROM numbers`,
  )
  await db.query('ANALYZE TABLE notifications, jobcard_status_history, attachments')
}
