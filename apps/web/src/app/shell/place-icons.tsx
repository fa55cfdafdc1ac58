import {
  IconBan,
  IconBuildingStore,
  IconChartBar,
  IconCircleDashed,
  IconCopy,
  IconDatabaseImport,
  IconFileExport,
  IconHistory,
  type IconProps,
  IconStack2,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'

const icons: Record<string, ComponentType<IconProps>> = {
  prospects: IconBuildingStore,
  duplicates: IconCopy,
  suppression: IconBan,
  reports: IconChartBar,
  jobs: IconStack2,
  sources: IconDatabaseImport,
  exports: IconFileExport,
  audit: IconHistory,
  planned: IconCircleDashed,
}

export function PlaceIcon({ id, size = 17 }: { id: string; size?: number }) {
  const Icon = icons[id] ?? IconStack2
  return <Icon size={size} stroke={1.6} aria-hidden />
}
