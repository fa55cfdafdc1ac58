import {
  IconBan,
  IconBuildingStore,
  IconChartBar,
  IconCopy,
  IconDatabaseImport,
  IconFileExport,
  IconGauge,
  IconHistory,
  IconLayoutDashboard,
  IconListCheck,
  IconPencil,
  type IconProps,
  IconStack2,
  IconWorld,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'

const icons: Record<string, ComponentType<IconProps>> = {
  dashboard: IconLayoutDashboard,
  prospects: IconBuildingStore,
  review: IconListCheck,
  duplicates: IconCopy,
  suppression: IconBan,
  reports: IconChartBar,
  drafts: IconPencil,
  jobs: IconStack2,
  sources: IconDatabaseImport,
  exports: IconFileExport,
  domains: IconWorld,
  scoring: IconGauge,
  audit: IconHistory,
}

export function PlaceIcon({ id, size = 17 }: { id: string; size?: number }) {
  const Icon = icons[id] ?? IconStack2
  return <Icon size={size} stroke={1.6} aria-hidden />
}
