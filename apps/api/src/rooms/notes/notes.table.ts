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
