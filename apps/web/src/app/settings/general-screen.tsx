import { Title } from '@mantine/core'
import { TenantSettings } from '../../rooms/identity/tenant-settings.tsx'
import { PipelineSettings } from '../../rooms/pipeline/pipeline-settings.tsx'
import { TitledSection } from '../../ui/layout/titled-section.tsx'
import classes from './general-screen.module.css'

/** What a tenant decides about itself. */
export function GeneralScreen() {
  return (
    <div className={classes.page}>
      <title>Settings · Prospect Platform</title>
      <Title order={1} mb="lg">
        Settings
      </Title>
      <TitledSection title="Tenant">
        <TenantSettings />
      </TitledSection>
      <TitledSection title="Pipeline">
        <PipelineSettings />
      </TitledSection>
    </div>
  )
}
