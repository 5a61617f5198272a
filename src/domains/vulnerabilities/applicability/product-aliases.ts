/** Names in use for one product of one CPE vendor, each as its squashed key. The first is CPE's own. */
export type ProductAlias = { vendor: string; names: readonly [string, ...string[]] }

/** Names under which one vendor is known: CPE's, former ones, owners. Squashed keys. */
export type VendorAlias = readonly [string, ...string[]]

/** Names that people and advisories use where CPE uses others. Source: the vendors' own advisories. */
// biome-ignore format: one product per line
export const PRODUCT_ALIASES: readonly ProductAlias[] = [
  { vendor: 'apache',     names: ['log4j', 'log4j2'] },
  { vendor: 'apache',     names: ['httpserver', 'httpd', 'apache', 'apache2', 'apachewebserver'] },
  { vendor: 'cisco',      names: ['adaptivesecurityappliancesoftware', 'adaptivesecurityappliance', 'asa'] },
  { vendor: 'cisco',      names: ['firepowerthreatdefense', 'firepowerthreatdefensesoftware', 'securefirewallthreatdefense', 'ftd'] },
  { vendor: 'cisco',      names: ['identityservicesengine', 'ise'] },
  { vendor: 'cisco',      names: ['unifiedcommunicationsmanager', 'cucm'] },
  { vendor: 'citrix',     names: ['netscalerapplicationdeliverycontroller', 'applicationdeliverycontroller', 'netscaleradc', 'adc'] },
  { vendor: 'citrix',     names: ['netscalergateway', 'gateway'] },
  { vendor: 'golang',     names: ['go', 'golang'] },
  { vendor: 'isc',        names: ['bind', 'bind9'] },
  { vendor: 'gnu',        names: ['glibc', 'gnuclibrary', 'gnulibc'] },
  { vendor: 'gnu',        names: ['bash', 'bourneagainshell'] },
  { vendor: 'linux',      names: ['linuxkernel', 'kernel', 'linux'] },
  { vendor: 'microsoft',  names: ['exchangeserver', 'exchange'] },
  { vendor: 'microsoft',  names: ['internetexplorer', 'ie'] },
  { vendor: 'microsoft',  names: ['internetinformationservices', 'internetinformationserver', 'iis'] },
  { vendor: 'microsoft',  names: ['servermessageblock', 'smb'] },
  { vendor: 'microsoft',  names: ['sharepointserver', 'sharepoint'] },
  { vendor: 'microsoft',  names: ['sqlserver', 'mssql', 'mssqlserver'] },
  { vendor: 'nodejs',     names: ['nodejs', 'node'] },
  { vendor: 'oracle',     names: ['jre', 'javaruntimeenvironment', 'javasejre'] },
  { vendor: 'oracle',     names: ['jdk', 'javadevelopmentkit', 'javasejdk'] },
  { vendor: 'oracle',     names: ['mysql', 'mysqlserver'] },
  { vendor: 'oracle',     names: ['weblogicserver', 'weblogic'] },
  { vendor: 'redhat',     names: ['enterpriselinux', 'rhel'] },
  { vendor: 'canonical',  names: ['ubuntulinux', 'ubuntu'] },
  { vendor: 'debian',     names: ['debianlinux', 'debian'] },
  { vendor: 'tukaani',    names: ['xz', 'xzutils'] },
  { vendor: 'vmware',     names: ['springframework', 'spring'] },
  { vendor: 'vmware',     names: ['vcenterserver', 'vcenter'] },
  { vendor: 'f5',         names: ['nginx', 'nginxopensource'] },
]

/** Vendors that were bought or renamed, and names that nobody would write CPE's way. Source: CPE dictionary. */
export const VENDOR_ALIASES: readonly VendorAlias[] = [
  ['f5', 'nginx'],
  ['oracle', 'sun', 'mysql', 'bea'],
  ['vmware', 'pivotal', 'spring', 'broadcom'],
  ['hp', 'hpe', 'hewlettpackard', 'hewlettpackardenterprise'],
  ['zohocorp', 'zoho', 'manageengine'],
  ['ivanti', 'pulsesecure'],
  ['linux', 'kernel', 'kernelorg', 'linuxkernel'],
  ['citrix', 'netscaler', 'cloudsoftware'],
  ['haxx', 'curl'],
  ['golang', 'google'],
  ['microfocus', 'opentext'],
  ['elastic', 'elasticsearch'],
]
