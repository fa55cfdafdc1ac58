// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    suppression_rules: SuppressionRulesTable
  }
}

export type SuppressionRulesTable = { tenant_id: string; rules_version: string; evaluated_at: string }
