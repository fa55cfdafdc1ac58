import { type Budgets, defaultBudgets, retentionBounds } from '../bounds.ts'

/** `version` 0: the built-in defaults. */
export type Policy = { version: number; budgets: Budgets; retentionDays: number }

export const builtInPolicy: Policy = { version: 0, budgets: defaultBudgets, retentionDays: retentionBounds.default }
