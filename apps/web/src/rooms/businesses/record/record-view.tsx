export type RecordViewProps = { businessId: string; variant: 'panel' | 'page' }

export function RecordView({ businessId }: RecordViewProps) {
  return <p>Prospect {businessId}</p>
}
