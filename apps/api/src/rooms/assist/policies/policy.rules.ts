import type { CompletePolicy, PolicyContent, PolicyItem } from './policies.schema.ts'
import { policyItems } from './policies.schema.ts'

/** The items that a version lacks. A fallback is optional: its default is none. */
export function missingItems(content: PolicyContent): PolicyItem[] {
  return policyItems.filter((item) => content[item] === undefined)
}

/** The policy with every item; undefined while one is missing. */
export function completePolicy(content: PolicyContent): CompletePolicy | undefined {
  const { purposes, sourceId, sourceVersion, dataClasses, redactionVersion, retention } = content
  const { freshnessDays, budgets, prices, ownerId, fallbackSourceId } = content
  if (purposes === undefined || sourceId === undefined || sourceVersion === undefined) return undefined
  if (dataClasses === undefined || redactionVersion === undefined || retention === undefined) return undefined
  if (freshnessDays === undefined || budgets === undefined || prices === undefined || ownerId === undefined)
    return undefined
  return {
    ...{ purposes, sourceId, sourceVersion, dataClasses, redactionVersion, retention },
    ...{ freshnessDays, budgets, prices, ownerId },
    ...(fallbackSourceId === undefined ? {} : { fallbackSourceId }),
  }
}
