import type { ProviderDetails } from '@prospect/adapter-contract/prompt'
import { utcMinute } from '../../../lib/calendar.ts'
import type { NamedSource, OpenItem } from '../../sources/sources.ts'
import { REDACTION_VERSION } from '../bounds.ts'
import type { AssistPolicy, PolicyItem } from '../policies/policies.schema.ts'
import type { StatusItem, StatusKey } from './status.schema.ts'

/* Computes the status of assistance, item by item, from the current policy and source. The status is never stored. */

export type Recorded = {
  /** the approved version of the policy; the newest version if none is approved */
  policy: AssistPolicy | undefined
  source: NamedSource | undefined
  /** the operator's limits; undefined where the adapter declares none */
  details: ProviderDetails | undefined
}

type Judged = Omit<StatusItem, 'key'>

export function statusItems(recorded: Recorded): StatusItem[] {
  const judges: Record<StatusKey, (recorded: Recorded) => Judged> = {
    provider,
    tenant_scope: tenantScope,
    purpose,
    data_class: (all) => ofPolicy(all, 'dataClasses', 'data classes'),
    redaction,
    retention: (all) => ofPolicy(all, 'retention', 'a retention class'),
    budgets,
    approval,
    enablement,
  }
  return Object.entries(judges).map(([key, judge]) => ({ key: key as StatusKey, ...judge(recorded) }))
}

const approvals: readonly string[] = ['approval.product', 'approval.legal', 'approval.security']
const operations: readonly string[] = ['enablement']

function provider({ source }: Recorded): Judged {
  if (source === undefined) return missing('sources', 'No source is set up for AI assistance.', 'manager')
  if (!source.isLoaded) return missing('sources', 'The connector of the source is not installed.', 'server_operator')
  if (source.openSince !== null)
    return missing('sources', 'The source was stopped after failures.', 'manager', source.openSince)
  const open = source.openItems.find(({ item }) => !approvals.includes(item) && !operations.includes(item))
  if (open !== undefined) return ofOpenItem(open)
  if (source.status === 'withdrawn' || source.status === 'rejected')
    return missing('sources', `The source is ${source.status}.`, 'manager')
  return present('sources', `${source.name}, adapter ${source.adapter.id} ${source.adapter.version}.`)
}

function tenantScope({ policy, source }: Recorded): Judged {
  if (source === undefined) return missing('sources', 'No source of this workspace is named.', 'manager')
  if (policy === undefined) return missing('assist', 'This workspace has no policy.', 'administrator')
  if (policy.sourceVersion !== source.contractVersion)
    return missing(
      'assist',
      policy.sourceVersion === undefined
        ? 'The policy names no version of the source.'
        : `The policy names version ${policy.sourceVersion} of the source, whose version is ${source.contractVersion}.`,
      'administrator',
    )
  return present('assist', 'The source and the policy belong to this workspace.')
}

function purpose({ policy, source }: Recorded): Judged {
  if (policy?.purposes === undefined)
    return missing('assist', 'The policy names no purpose.', 'administrator', policy?.createdAt)
  const permitted = source?.contract.purposes ?? []
  const refused = policy.purposes.filter((name) => !permitted.includes(name))
  if (refused.length > 0) return missing('sources', `The source does not permit: ${refused.join(', ')}.`, 'manager')
  return present('assist', policy.purposes.join(', '))
}

function redaction({ policy }: Recorded): Judged {
  const version = policy?.redactionVersion
  if (version !== undefined && version !== REDACTION_VERSION)
    return {
      state: 'expired',
      detail: `The policy was written for version ${version} of the redaction rules; the present version is ${REDACTION_VERSION}.`,
      since: null,
      resolvableBy: 'administrator',
      recordedIn: 'assist',
    }
  return ofPolicy({ policy }, 'redactionVersion', 'a redaction version')
}

function budgets({ policy, source, details }: Recorded): Judged {
  if (policy?.budgets === undefined || policy.prices === undefined)
    return missing('assist', 'The policy has no budgets with prices.', 'administrator', policy?.createdAt)
  if (source?.loaded !== undefined && details === undefined)
    return missing('sources', 'The adapter declares no limits over all workspaces.', 'server_operator')
  return present('assist', 'Budgets of the workspace, and limits of the server operator.')
}

function approval({ policy, source }: Recorded): Judged {
  const open = source?.openItems.find(({ item }) => approvals.includes(item))
  if (open !== undefined) return ofOpenItem(open)
  if (source === undefined) return missing('sources', 'No source is approved.', 'manager')
  if (policy === undefined) return missing('assist', 'No policy is approved.', 'administrator')
  const endsAt = policy.decision?.endsAt ?? null
  if (policy.state === 'expired')
    return {
      state: 'expired',
      detail: 'The approval of the policy ended.',
      since: endsAt,
      resolvableBy: 'manager',
      recordedIn: 'assist',
    }
  if (policy.state === 'approved')
    return present('assist', endsAt === null ? 'Without an end.' : `Until ${utcMinute(endsAt)}.`)
  const isWaiting = policy.state === 'in_review'
  return missing(
    'assist',
    isWaiting ? 'The policy waits for approval.' : `The newest policy is ${policy.state}.`,
    isWaiting ? 'manager' : 'administrator',
    policy.submittedAt ?? policy.createdAt,
  )
}

function enablement({ source }: Recorded): Judged {
  if (source === undefined) return missing('sources', 'No source is enabled.', 'manager')
  const open = source.openItems.find(({ item }) => operations.includes(item))
  if (open !== undefined) return ofOpenItem(open)
  if (source.status !== 'enabled') return missing('sources', 'The source is not enabled.', 'manager')
  return present('sources', 'The source is enabled.')
}

function ofPolicy({ policy }: Pick<Recorded, 'policy'>, item: PolicyItem, what: string): Judged {
  if (policy?.[item] === undefined)
    return missing('assist', `The policy does not name ${what}.`, 'administrator', policy?.createdAt)
  return present('assist', `Named by version ${policy.version} of the policy.`)
}

const resolvers = { operator: 'server_operator' } as const

function ofOpenItem({ item, problem, responsible, since, detail }: OpenItem): Judged {
  return {
    state: problem === 'expired' ? 'expired' : 'missing',
    detail: detail ?? `In the source registry, ${item} is ${problem.replace('_', ' ')}.`,
    since,
    resolvableBy: responsible === 'operator' ? resolvers.operator : 'manager',
    recordedIn: 'sources',
  }
}

function present(recordedIn: StatusItem['recordedIn'], detail: string): Judged {
  return { state: 'present', detail, since: null, resolvableBy: 'administrator', recordedIn }
}

function missing(
  recordedIn: StatusItem['recordedIn'],
  detail: string,
  resolvableBy: StatusItem['resolvableBy'],
  since: string | null = null,
): Judged {
  return { state: 'missing', detail, since, resolvableBy, recordedIn }
}
