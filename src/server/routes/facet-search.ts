import { searchByBody } from '../search/search-routes.js'

export const routes = [searchByBody('/indexes/{index_uid}/facet-search', 'facetSearch')]
