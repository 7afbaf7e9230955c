import type { HeardMember, Member } from '../../cluster/index.js'
import type { ClusterServers } from '../../state/index.js'

/** Reports come twice a second: whoever missed some is not asked first. */
const STILL_HEARD_MS = 2_000

/** The servers of a cluster, as those that divide documents among them see each other. */
export function clusterServers(member: Member, key: string | null): ClusterServers {
  const { name: self } = member
  // Of whom nothing was heard since the start, nothing is known.
  const isAnswering = ({ isReady, silentMs, version }: HeardMember): boolean =>
    version === '' || (isReady && silentMs < STILL_HEARD_MS)
  return {
    self,
    key,
    urls: () => member.urls,
    isReady: (name) => name === self || member.others.some((each) => each.name === name && isAnswering(each)),
    coordinator: () => member.coordinator,
  }
}
