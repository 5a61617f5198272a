import { PageHeader } from '../../ui/page-header.tsx'

export function IocsScreen() {
  return <PageHeader title="IOCs" />
}
