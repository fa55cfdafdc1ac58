// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

declare module '../../store/database.ts' {
  interface Database {
    notes: NoteTable
  }
}

export type NoteTable = {
  tenant_id: string
  id: string
  business_id: string
  text: string
  sensitive: 0 | 1
  author: string
  created_at: string
}
