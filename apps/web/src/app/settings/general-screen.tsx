import { Title } from '@mantine/core'
import { TenantSettings } from '../../rooms/identity/tenant-settings.tsx'
import { PipelineSettings } from '../../rooms/pipeline/pipeline-settings.tsx'
import classes from './general-screen.module.css'

/** What a tenant decides about itself. */
export function GeneralScreen() {
  return (
    <div className={classes.page}>
      <title>Settings · Prospect Platform</title>
      <Title order={1}>Settings</Title>
      <section aria-labelledby="tenant-settings" className={classes.section}>
        <Title order={2} id="tenant-settings">
          Tenant
        </Title>
        <TenantSettings />
      </section>
      <section aria-labelledby="pipeline-settings" className={classes.section}>
        <Title order={2} id="pipeline-settings">
          Pipeline
        </Title>
        <PipelineSettings />
      </section>
    </div>
  )
}
