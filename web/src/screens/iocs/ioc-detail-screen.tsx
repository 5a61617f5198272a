import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { indicatorQuery } from '../../api/indicators.ts'
import { paths } from '../../shell/paths.ts'
import { useSearchState } from '../../shell/use-search-state.ts'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { Callout } from '../../ui/callout.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { IocActions } from './ioc-actions.tsx'
import { IocBody } from './ioc-body.tsx'
import { IocWords } from './ioc-words.tsx'
import { parseIocDetailSearch } from './iocs.search.ts'
import { iocsText } from './iocs.text.ts'

const text = iocsText.detail

/** One IOC on a page of its own. */
export function IocDetailScreen() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const [search] = useSearchState(parseIocDetailSearch)
  const { data: ioc } = useQuery(indicatorQuery(id))
  return (
    <>
      <PageHeader
        title={ioc?.value ?? text.page}
        heading={ioc === undefined ? undefined : <span className="svc-mono">{ioc.value}</span>}
        breadcrumb={
          <Breadcrumb
            label={iocsText.title}
            trail={[
              {
                id: 'list',
                link: <Link to={paths.iocs}>{text.back}</Link>,
              },
            ]}
            here={text.page}
          />
        }
        aside={ioc === undefined ? undefined : <IocWords ioc={ioc} />}
        actions={ioc === undefined ? undefined : <IocActions ioc={ioc} />}
      />
      {ioc !== undefined && search.relation !== undefined && search.relation !== 'exact' && search.asked !== undefined && (
        <Callout tone="info" role="status" apart icon={<IconArrowRight size={16} aria-hidden />}>
          {iocsText.related(search.asked)} {iocsText.relation[search.relation]} <b className="svc-mono">{ioc.value}</b>
        </Callout>
      )}
      <IocBody id={id} />
    </>
  )
}
