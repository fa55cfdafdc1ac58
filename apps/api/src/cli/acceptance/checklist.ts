import type { AcceptanceReport, ChecklistItem } from '../../rooms/health/health.ts'

/** The facts of a run from which checklist and limitations are computed. */
export type Seen = Pick<AcceptanceReport['checks'], 'run' | 'gates'>

const healthCheck = 'health responds without a session, and readiness reads and writes the store'

/**
 * Returns the deployment checklist of Phase 15 §7 in its order, with the result of this run for each item. The runbook has the same items in the same
 * order; a test compares both.
 */
export function checklistOf({ run, gates }: Seen): ChecklistItem[] {
  const passed = (id: string) => gates[id]?.passed === true
  const isHealthy =
    gates.phase_15?.results.some(({ name, passed: isPassed }) => name === healthCheck && isPassed) === true
  const isScoped = ['tenancy', 'phase_3', 'interface'].every(passed)
  const configuration = `Configuration revision ${run.configuration_revision}`
  return [
    {
      item: 'Render and review the configuration',
      status: 'not_shown',
      how: 'The run reads no stack file. Render it and review it.',
    },
    {
      item: 'Build from a reviewed commit, and scan',
      status: 'not_shown',
      how: `The run tested ${run.commit === null ? 'an unknown commit' : `commit ${run.commit}`} and scanned no image.`,
    },
    {
      item: 'Restrict exposure',
      status: 'not_shown',
      how: 'The run does not look at the network of the host.',
    },
    {
      item: 'Check both health routes and the logs',
      status: 'not_shown',
      how: isHealthy
        ? 'Liveness and readiness of the API and the health route of the web app responded. Review the logs.'
        : 'A health route did not respond as required.',
    },
    {
      item: 'Exercise the tenant-scoped routes',
      status: isScoped ? 'shown' : 'not_shown',
      how: isScoped
        ? 'Lists, details and children were read in bounded pages by two tenants; notes and moves appear in the audit of the right tenant only.'
        : 'A check of tenancy, of the manual workflow or of the declared interface failed.',
    },
    contactExtraction(gates),
    {
      item: 'Record image digest and configuration revision',
      status: run.image_digest === null ? 'not_shown' : 'shown',
      how:
        run.image_digest === null
          ? `${configuration}. The run was not made from an image, so there is no digest.`
          : `${configuration}, image ${run.image_digest}.`,
    },
  ]
}

/** The fixtures run in every run, because they need no network. Whether pages are fetched is the status of the phase. */
function contactExtraction(gates: Seen['gates']): ChecklistItem {
  const item = 'Contact extraction'
  const { status = 'not_reported', results = [] } = gates.phase_9 ?? {}
  const fixtures = results.filter(({ name }) => name.startsWith('fixtures of official sites: '))
  const failed = fixtures.filter(({ passed }) => !passed)
  if (fixtures.length === 0) return { item, status: 'not_shown', how: 'The fixtures of Phase 9 did not run.' }
  if (failed.length > 0)
    return { item, status: 'not_shown', how: `Failed: ${failed.map(({ name }) => name).join('; ')}.` }
  const fetched = status === 'operational' ? '' : ` Extraction from fetched pages is not enabled here (${status}).`
  return {
    item,
    status: 'shown',
    how: `${fixtures.length} fixtures of official sites passed in this process, and none of them used the network.${fetched}`,
  }
}
