import type { Route } from './http/route.js'
import { routes as batches } from './routes/batches.js'
import { routes as chats } from './routes/chats.js'
import { routes as cluster } from './routes/cluster.js'
import { dashboardRoutes } from './routes/dashboard.js'
import { routes as documentEdition } from './routes/document-edition.js'
import { routes as documentReads } from './routes/document-reads.js'
import { routes as documents } from './routes/documents.js'
import { routes as dumps } from './routes/dumps.js'
import { routes as dynamicSearchRules } from './routes/dynamic-search-rules.js'
import { routes as exporting } from './routes/export.js'
import { routes as facetSearch } from './routes/facet-search.js'
import { routes as features } from './routes/features.js'
import { routes as fields } from './routes/fields.js'
import { routes as indexes } from './routes/indexes.js'
import { routes as keys } from './routes/keys.js'
import { routes as logs } from './routes/logs.js'
import { routes as metrics } from './routes/metrics.js'
import { routes as multiSearch } from './routes/multi-search.js'
import { routes as network } from './routes/network.js'
import { openApiRoute } from './routes/openapi.js'
import { routes as renderTemplate } from './routes/render-template.js'
import { routes as search } from './routes/search.js'
import { routes as settings } from './routes/settings.js'
import { routes as similar } from './routes/similar.js'
import { routes as snapshots } from './routes/snapshots.js'
import { routes as stats } from './routes/stats.js'
import { routes as swapIndexes } from './routes/swap-indexes.js'
import { routes as system } from './routes/system.js'
import { routes as tasks } from './routes/tasks.js'
import { routes as webhooks } from './routes/webhooks.js'

/** Every route of the server: those of the interface (spec 1 §1), one that shows a cluster, and one that describes them. */
export const routeTable: readonly Route[] = [
  ...dashboardRoutes(),
  ...system,
  ...stats,
  ...metrics,
  ...logs,
  ...features,
  ...network,
  ...cluster,
  ...dynamicSearchRules,
  ...keys,
  ...indexes,
  ...fields,
  ...documents,
  ...documentReads,
  ...documentEdition,
  ...search,
  ...facetSearch,
  ...similar,
  ...multiSearch,
  ...chats,
  ...tasks,
  ...batches,
  ...webhooks,
  ...swapIndexes,
  ...dumps,
  ...snapshots,
  ...exporting,
  ...settings,
  ...renderTemplate,
  openApiRoute(() => routeTable),
]
