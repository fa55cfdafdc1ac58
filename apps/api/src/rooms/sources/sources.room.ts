import { changeActor, changeTime, ERASED } from '../../store/change/empty-rows.ts'
import type { Room } from '../room.ts'
import { deleteOldPermits } from './asking/delete-permits.ts'
import { endQueriesOfNoJob } from './asking/end-queries.ts'
import { circuitRoutes } from './circuit/circuit.routes.ts'
import { fileRoutes } from './files/files.routes.ts'
import { sourceFileQuota } from './files/source-files.ts'
import { deleteOldHealth } from './health/delete-health.ts'
import { purposeNames } from './purposes.ts'
import { queueRawRetention } from './records/queue-raw-retention.ts'
import { rawTextQuota } from './records/records.quota.ts'
import { recordRoutes } from './records/records.routes.ts'
import { lapseFollower } from './registry/lapse-follower.ts'
import { recordAllLapses, recordSourceLapses } from './registry/record-lapses.ts'
import { sourceQuota } from './registry/registry.quota.ts'
import { readService } from './registry/service.ts'
import { sourceRetention } from './retention.ts'
import { rawRetention, sourceQuery } from './sources.jobs.ts'
import { sourceRoutes } from './sources.routes.ts'
import { waitingInSources } from './waiting.ts'

export const sourceRoom: Room = {
  name: 'sources',
  routes: [sourceRoutes, circuitRoutes, recordRoutes, fileRoutes],
  waiting: waitingInSources,
  quotas: [rawTextQuota, sourceQuota, sourceFileQuota],
  jobKinds: [sourceQuery, rawRetention],
  // Records, before the first request, which sources are no longer enabled because a condition failed (a lapse). A missing adapter, a changed
  // ADAPTERS_FILE or a restore can be the cause. Correcting the cause later does not enable the source again; a person must.
  atStart: async ({ store, adapters }) => {
    await recordAllLapses({ store, adapters })
  },
  upkeep: [recordSourceLapses, endQueriesOfNoJob, queueRawRetention, deleteOldPermits, deleteOldHealth],
  retention: sourceRetention,
  followers: ({ store, adapters }) => [lapseFollower({ store, adapters })],
  holds: {
    source_records: {
      title: 'Source records',
      permission: 'sources.read',
      columns: {
        id: 'Id',
        source_id: 'Source',
        number: 'Version of the source',
        identity: 'Identity',
        reference: 'Reference',
        attribution: 'Attribution',
        captured_at: 'Captured at',
        observed_at: 'Observed at',
        csv_file_sha256: 'Hash of the CSV file',
        csv_row: 'Row',
        csv_line: 'Line',
        raw_sha256: 'Hash of the raw text',
        created_at: 'Entered at',
        created_by: 'Entered by',
      },
    },
    source_record_raws: {
      title: 'Raw texts of source records',
      permission: 'sources.read',
      by: 'record_id',
      of: 'source_records',
      columns: {
        record_id: 'Source record',
        raw: 'Raw text',
        state: 'State',
        delete_after: 'Deleted after',
        deleted_at: 'Deleted at',
        deleted_by: 'Deleted by',
        reason: 'Reason',
        failure: 'Failure',
      },
    },
    source_queries: {
      title: 'Queries of sources about the prospect',
      permission: 'sources.read',
      along: 'source_queries_by_business',
      json: ['request', 'plan', 'outcome'],
      columns: {
        id: 'Id',
        source_id: 'Source',
        kind: 'Kind',
        purpose: 'Purpose',
        request: 'Request',
        plan: 'Plan',
        outcome: 'Outcome',
        at: 'At',
        actor: 'By',
        ended_at: 'Ended at',
      },
    },
    source_permits: {
      title: 'Requests to sources',
      permission: 'sources.read',
      by: 'query_id',
      of: 'source_queries',
      along: 'source_permits_by_query',
      alongOwners: 'source_queries_by_business',
      columns: {
        id: 'Id',
        query_id: 'Query',
        source_id: 'Source',
        target: 'Host',
        taken_at: 'At',
        ended_at: 'Ended at',
        cause: 'Cause of a failure',
        bytes: 'Bytes',
      },
    },
  },
  erases: {
    // The host of a requested page.
    source_permits: {
      by: 'query_id',
      of: 'source_queries',
      set: { target: ERASED },
      where: { target: 'present' },
      along: 'source_permits_by_query',
    },
    source_record_raws: {
      by: 'record_id',
      of: 'source_records',
      set: {
        raw: null,
        state: 'deleted',
        deleted_at: changeTime,
        deleted_by: changeActor,
        reason: ERASED,
        failure: null,
      },
    },
    source_records: {
      set: {
        identity: null,
        reference: null,
        raw_sha256: null,
        csv_file_sha256: null,
        csv_row: null,
        csv_line: null,
        attribution: ERASED,
      },
      counts: 'sourceRecords',
    },
  },
  capability: async (context) => {
    const { served, because } = await readService(context, purposeNames, 'any purpose')
    if (served.length > 0) {
      const words = served.map((name) => name.replaceAll('_', ' ')).join(', ')
      return { status: 'operational', reason: `Sources are registered, approved and queried; one serves ${words}.` }
    }
    if (because === null) return {}
    return {
      reason: `Sources are registered, approved and planned by dry runs, and references and CSV rows are recorded one at a time; ${because}, so no query is sent.`,
    }
  },
  sample: async (desk) => (await import('./sources.sample.ts')).sampleSources(desk),
}
