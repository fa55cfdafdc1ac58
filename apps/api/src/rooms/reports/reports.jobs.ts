import canonicalize from 'canonicalize'
import { z } from 'zod'
import { recordId } from '../../http/text.ts'
import { sha256 } from '../../lib/hashing.ts'
import { defineJobKind } from '../jobs/jobs.ts'
import { computeReport } from './compute-report.ts'
import { FIGURES_VERSION } from './figures.rules.ts'
import { filterOf, getReportRow, insertReportResult } from './reports.queries.ts'

/** Job that computes one report and stores its result once, with its audit event. */
export const reportJob = defineJobKind({
  kind: 'report',
  title: 'Make a report',
  permission: 'reports.create',
  input: z.strictObject({ reportId: recordId }),
  isOffered: false,
  timeoutMs: 600_000,
  maxAttempts: 1,
  isCancellable: true,
  touches:
    'Reads businesses, moves, evidence, interactions and blocks of the workspace; stores the result of the report.',
  run: async ({ store, tenantId, signal, progress, effect }, { reportId }) => {
    const report = await getReportRow(store.reader, tenantId, reportId)
    const wanted = {
      tenantId,
      startsAt: report.starts_at,
      endsAt: report.ends_at,
      asOf: report.as_of,
      filter: filterOf(report),
    }
    const { figures, businesses } = await computeReport(store.backgroundOf(tenantId), wanted, {
      onPart: async (done) => {
        signal.throwIfAborted()
        progress({ done, total: null, unit: 'prospects' })
      },
    })
    const text = canonicalize(figures) ?? ''
    const hash = sha256(text)
    // If an earlier attempt has stored its figures, they are the result and the new counts are discarded.
    const kept = await effect('result', { action: 'report.make' }, async (tx) => {
      await insertReportResult(tx.db, {
        tenant_id: tenantId,
        report_id: reportId,
        figures_version: FIGURES_VERSION,
        figures_json: text,
        figures_hash: hash,
        businesses,
        computed_at: tx.at,
      })
      await tx.record({
        subject: { type: 'report', id: reportId },
        after: { figuresVersion: FIGURES_VERSION, figuresHash: hash, businesses },
      })
      return { reportId, businesses, figuresHash: hash }
    })
    // `kept` is null if the figures were stored by an older version, whose effect had no result.
    return kept ?? { reportId, businesses, figuresHash: hash }
  },
})
