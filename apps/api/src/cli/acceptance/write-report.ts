import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import schema from '../../rooms/health/acceptance-report.schema.json' with { type: 'json' }

/** Returns the errors of a report by the specification's schema (draft 2020-12); null for a valid report. */
export function schemaFaults(report: unknown): string | null {
  const ajv = new Ajv2020({ allErrors: true })
  return ajv.validate(schema, report) ? null : ajv.errorsText()
}

/** Writes a report atomically, after validating it. */
export function writeReport(file: string, report: unknown): void {
  const faults = schemaFaults(report)
  if (faults !== null) throw new Error(`The report does not match its schema and was not written: ${faults}`)
  mkdirSync(dirname(file), { recursive: true })
  const beside = `${file}.${process.pid}`
  writeFileSync(beside, `${JSON.stringify(report, null, 2)}\n`)
  renameSync(beside, file)
}
