/** Public module of the health room: readiness, capabilities, probe, metrics and the acceptance report. */

export {
  type AcceptanceCheck,
  type AcceptanceGate,
  type AcceptanceReport,
  acceptanceReportFile,
  adaptersSchema,
  type ChecklistItem,
  type Figures,
} from './acceptance-report.ts'
export { checkRecords } from './integrity/check-records.ts'
export { createMetrics, serveMetrics } from './metrics.ts'
export { type Finding, probe, type Severity, severities, worstOf } from './probe.ts'
export { readStore } from './read-store.ts'
