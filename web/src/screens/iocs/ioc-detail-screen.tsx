import { PageHeader } from '../../ui/page-header.tsx'

export function IocDetailScreen() {
  return <PageHeader title="IOC" />
}
