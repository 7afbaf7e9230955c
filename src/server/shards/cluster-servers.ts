import type { HeardMember, Member } from '../../cluster/index.js'
import type { ClusterServers } from '../../state/index.js'

/** Reports come twice a second: whoever missed some is not asked first. */
const STILL_HEARD_MS = 2_000

/** The servers of a cluster, as those that divide documents among them see each other. */
export function clusterServers(member: Member, key: string | null): ClusterServers {
  const { name: self } = member.status().self
  return {
    self,
    key,
    urls() {
      const { self: own, others } = member.status()
      return new Map([own, ...others].flatMap(({ name, url }) => (url === null ? [] : [[name, url] as const])))
    },
    isReady(name) {
      const isAnswering = (each: HeardMember): boolean => each.isReady && each.silentMs < STILL_HEARD_MS
      return name === self || member.status().others.some((each) => each.name === name && isAnswering(each))
    },
    coordinator: () => member.status().coordinator,
  }
}
