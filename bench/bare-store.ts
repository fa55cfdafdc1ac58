import Database from 'better-sqlite3'
import { sampleBusiness } from './sample-data.ts'

/** The tenant that the benchmark reads: the big one of ten. */
export const bareTenant = 'tenant-0'

/**
 * Opens a store with a table for businesses and one for audit rows, the minimum for the three requests that the benchmark compares with the API:
 * list, show, create. `synchronous` is set to FULL and checked after a write, because WAL falls back to NORMAL at the first write.
 */
export function openBareStore(file: string, rows: number): Database.Database {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec(`
    CREATE TABLE IF NOT EXISTS business (
      tenant_id TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, name TEXT NOT NULL, trading_name TEXT,
      registration_number TEXT, industry TEXT, emails TEXT NOT NULL, phones TEXT NOT NULL, domains TEXT NOT NULL,
      primary_email TEXT, primary_phone TEXT, primary_phone_normalized TEXT, primary_domain TEXT, address TEXT NOT NULL, city TEXT, province TEXT,
      province_code TEXT, tags TEXT NOT NULL, assignee_id TEXT, assignee_name TEXT, state TEXT NOT NULL,
      do_not_contact INTEGER NOT NULL, has_evidence INTEGER NOT NULL, evidence_count INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
      created_by TEXT NOT NULL, PRIMARY KEY (tenant_id, id)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS business_by_state ON business (tenant_id, state, updated_at);
    CREATE TABLE IF NOT EXISTS audit (
      sequence INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, at TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
      subject TEXT NOT NULL, after TEXT NOT NULL
    ) STRICT;
  `)
  const { held } = countRow(db.prepare('SELECT count(*) AS held FROM business').get())
  if (held === 0) fill(db, rows)
  const level = db.pragma('synchronous', { simple: true })
  if (level !== 2) throw new Error(`synchronous is ${String(level)}, not FULL: the creates would not be durable`)
  return db
}

function countRow(row: unknown): { held: number } {
  if (typeof row === 'object' && row !== null && 'held' in row && typeof row.held === 'number')
    return { held: row.held }
  throw new Error('count(*) gave no number')
}

export const insertBusiness = `INSERT INTO business VALUES (@tenantId, @id, @version, @name, @tradingName, @registrationNumber,
  @industry, @emails, @phones, @domains, @primaryEmail, @primaryPhone, @primaryPhoneNormalized, @primaryDomain, @address, @city, @province, @provinceCode,
  @tags, @assigneeId, @assigneeName, @state, @doNotContact, @hasEvidence, @evidenceCount, @createdAt, @updatedAt, @createdBy)`

/**
 * Inserts `rows` rows for the big tenant and a fiftieth of them for each of nine others. With several tenants, an index that lacks the tenant would
 * be visible in the results.
 */
function fill(db: Database.Database, rows: number): void {
  const insert = db.prepare(insertBusiness)
  const writeAll = db.transaction(() => {
    for (let tenant = 0; tenant < 10; tenant++) {
      const many = tenant === 0 ? rows : Math.ceil(rows / 50)
      for (let index = 0; index < many; index++) {
        const sample = sampleBusiness(index, { total: many, people: 8 })
        insert.run({
          ...sample,
          tenantId: `tenant-${tenant}`,
          id: bareId(index),
          version: 1,
          emails: JSON.stringify(
            sample.emails.map((email) => ({ ...email, normalized: email.value, uncertainty: null })),
          ),
          phones: JSON.stringify(
            sample.phones.map(({ e164, ...phone }) => ({
              ...phone,
              region: 'ZA',
              normalized: e164,
              uncertainty: null,
            })),
          ),
          domains: JSON.stringify(sample.domains.map((d) => ({ ...d, normalized: d.value, uncertainty: null }))),
          primaryEmail: sample.emails[0]?.value ?? null,
          primaryPhone: sample.phones[0]?.value ?? null,
          primaryPhoneNormalized: sample.phones[0]?.e164 ?? null,
          primaryDomain: sample.domains[0]?.value ?? null,
          address: JSON.stringify(sample.address),
          city: sample.address.city,
          province: sample.address.province,
          tags: JSON.stringify(sample.tags),
          assigneeId: sample.assignee === null ? null : bareId(900_000_000 + sample.assignee),
          assigneeName: sample.assignee === null ? null : `Person ${sample.assignee}`,
          state: sample.pipelineState,
          doNotContact: sample.doNotContact ? 1 : 0,
          hasEvidence: sample.hasEvidence ? 1 : 0,
          evidenceCount: sample.hasEvidence ? 1 : 0,
          createdBy: 'Bench',
        })
      }
    }
  })
  writeAll()
  db.exec('ANALYZE')
  db.pragma('wal_checkpoint(TRUNCATE)')
}

/** Returns an id as long as a UUID and in the order of creation, like UUIDv7. */
export function bareId(index: number): string {
  return `01936000-0000-7000-8000-${String(index).padStart(12, '0')}`
}
