// Made by openapi-typescript from the OpenAPI document: "npx -y pnpm@12 docs:reference" writes it anew.

export interface paths {
    "/api/Auctions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List auctions
         * @description Newest first, or those that end soonest by their `endTime`. A page never skips or repeats an auction because others arrived meanwhile. For one page a bounded number of auctions is looked at, so a page may be short and still have a `nextCursor`.
         *
         *     Permission: `Auctions.Read` (any valid token may, unless `PERMISSIONS_AUCTIONS_READ` is set).
         */
        get: operations["listAuctions"];
        put?: never;
        /**
         * Create an auction
         * @description The status of a new auction is `Pending`, whatever its times. Money is exact: an amount with more decimals than its currency has is refused, never rounded.
         *
         *     With a `softClose`, late bids move the end. Below a `reservePrice` nothing is sold. For the `buyNowPrice` it can be bought at once. With `cancellableUntilEnd`, bids leave it free to be cancelled. Without them, an auction has none of that.
         *
         *     Permission: `Auctions.Create` (`{SERVICE_NAME}:Auctions:Create`, unless `PERMISSIONS_AUCTIONS_CREATE` is set).
         */
        post: operations["createAuction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Bids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Place a bid
         * @description A bid is accepted from the start of its auction until the end, from anybody but the owner, when it offers at least the `minimumNextBid` of the auction. The leader may raise its own bid. A bid of as much as the highest is refused.
         *
         *     With a `maximumAmount`, the service bids for the bidder when others bid: by no more than it takes to lead, up to that. Of two maxima the higher leads, and of two that are equal the first, as does a maximum over a later bid of the same amount. The leader who sends a higher `maximumAmount` raises it, and no price, whatever its `amount`; unless it covers a reserve that is not met: then the service bids the reserve.
         *
         *     Permission: `Bids.Create` (`{SERVICE_NAME}:Bids:Create`, unless `PERMISSIONS_BIDS_CREATE` is set).
         */
        post: operations["placeBid"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Auctions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an auction
         * @description A read that follows a 201 sees what it made.
         *
         *     Permission: `Auctions.Read` (any valid token may, unless `PERMISSIONS_AUCTIONS_READ` is set).
         */
        get: operations["readAuction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Bids/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a bid
         * @description A bid never changes.
         *
         *     Permission: `Bids.Read` (any valid token may, unless `PERMISSIONS_BIDS_READ` is set).
         */
        get: operations["readBid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Auctions/{id}/Bids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the bids of an auction
         * @description Newest first. A page never skips or repeats a bid because others arrived meanwhile.
         *
         *     Permission: `Bids.Read` (any valid token may, unless `PERMISSIONS_BIDS_READ` is set).
         */
        get: operations["listBids"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Auctions/{id}/Purchase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Buy at once
         * @description Ends an auction that has a `buyNowPrice`: the buyer gets it for that. It is offered from the start until the first bid or, where there is a reserve, until that is met; `buyNowOffered` tells. Of two buyers at one moment one gets 201, the other `auction-ended`. A bid of as much is a bid, and buys nothing at once.
         *
         *     Permission: `Bids.Create` (`{SERVICE_NAME}:Bids:Create`, unless `PERMISSIONS_BIDS_CREATE` is set).
         */
        post: operations["buyNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/Auctions/{id}/Cancellation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an auction
         * @description Cancels an auction, before its start too: until its first bid, or until its end where it was created with `cancellableUntilEnd`. Where callers are bound to their users, only the owner can. One that is cancelled already stays as it is, with the reason that it has, and is answered 201 again. The body may be left out.
         *
         *     Permission: `Auctions.Cancel` (`{SERVICE_NAME}:Auctions:Cancel`, unless `PERMISSIONS_AUCTIONS_CANCEL` is set).
         */
        post: operations["cancelAuction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether the server runs
         * @description For whoever restarts a server that hangs. It is answered as long as the process runs, also while the store is gone.
         */
        get: operations["readLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask whether requests should be sent to the server
         * @description For load balancers. The store is asked once a second at most, however often this is asked. After a write that failed, it must take one.
         */
        get: operations["readReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Auction: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The product that is auctioned. */
            productId: number;
            /** @description The user who sells; nobody bids on an auction of their own. */
            ownerId: number;
            /** @description Well-formed Unicode, counted in code points. */
            title?: string;
            /** @description Well-formed Unicode, counted in code points. */
            description?: string;
            /** @description The least that the first bid must offer; no more decimals than the currency has. */
            startingPrice: number;
            /** @description By how much a bid must beat the one before, if it is not automatic; no more decimals than the currency has. */
            minimumBidIncrement: number;
            /** @description An active ISO 4217 code that has minor units. */
            currency: string;
            /**
             * Format: date-time
             * @description From when on bids are taken, in UTC; it may be past.
             */
            startTime: string;
            /**
             * Format: date-time
             * @description Until when bids are taken, in UTC, unless late bids move the end: after the start, and not past when the auction is created.
             */
            endTime: string;
            softClose?: components["schemas"]["SoftClose"];
            /** @description Only for the owner, and for whoever may read reserves. */
            reservePrice?: number;
            /** @description For which the product can be bought at once, until the first bid or, where there is a reserve, until that is met: above the starting price and the reserve. */
            buyNowPrice?: number;
            /** @description Whether the auction can be cancelled when it has bids, too. */
            cancellableUntilEnd?: boolean;
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`; `Cancelled` from its cancellation on.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
        };
        AuctionView: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The product that is auctioned. */
            productId: number;
            /** @description The user who sells; nobody bids on an auction of their own. */
            ownerId: number;
            /** @description Well-formed Unicode, counted in code points. */
            title?: string;
            /** @description Well-formed Unicode, counted in code points. */
            description?: string;
            /** @description The least that the first bid must offer; no more decimals than the currency has. */
            startingPrice: number;
            /** @description By how much a bid must beat the one before, if it is not automatic; no more decimals than the currency has. */
            minimumBidIncrement: number;
            /** @description An active ISO 4217 code that has minor units. */
            currency: string;
            /**
             * Format: date-time
             * @description From when on bids are taken, in UTC; it may be past.
             */
            startTime: string;
            /**
             * Format: date-time
             * @description Until when bids are taken, in UTC, unless late bids move the end: after the start, and not past when the auction is created.
             */
            endTime: string;
            softClose?: components["schemas"]["SoftClose"];
            /** @description Only for the owner, and for whoever may read reserves. */
            reservePrice?: number;
            /** @description For which the product can be bought at once, until the first bid or, where there is a reserve, until that is met: above the starting price and the reserve. */
            buyNowPrice?: number;
            /** @description Whether the auction can be cancelled when it has bids, too. */
            cancellableUntilEnd?: boolean;
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`; `Cancelled` from its cancellation on.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
            /** @description The highest bid, or the starting price while there is none. */
            currentPrice: number;
            /** @description The least that the next bid must offer; null where no higher bid is possible. */
            minimumNextBid: number | null;
            /** @description How many bids it has, those that the service made for their bidders too. */
            bidCount: number;
            /**
             * Format: date-time
             * @description With a soft close: when its time is over, as far as bids have moved that by now.
             */
            effectiveEndTime?: string;
            /** @description With a reserve: whether the highest bid is one that buys. */
            reserveMet?: boolean;
            /** @description With a buy-now price: whether the auction can be bought for it now. */
            buyNowOffered?: boolean;
            /** @description Null until it is final: some seconds after the end, or as soon as it is bought or cancelled. It never changes then. */
            result: components["schemas"]["AuctionResult"] | null;
        };
        AuctionListItem: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The product that is auctioned. */
            productId: number;
            /** @description The user who sells; nobody bids on an auction of their own. */
            ownerId: number;
            /** @description Well-formed Unicode, counted in code points. */
            title?: string;
            /** @description The least that the first bid must offer; no more decimals than the currency has. */
            startingPrice: number;
            /** @description By how much a bid must beat the one before, if it is not automatic; no more decimals than the currency has. */
            minimumBidIncrement: number;
            /** @description An active ISO 4217 code that has minor units. */
            currency: string;
            /**
             * Format: date-time
             * @description From when on bids are taken, in UTC; it may be past.
             */
            startTime: string;
            /**
             * Format: date-time
             * @description Until when bids are taken, in UTC, unless late bids move the end: after the start, and not past when the auction is created.
             */
            endTime: string;
            softClose?: components["schemas"]["SoftClose"];
            /** @description Only for the owner, and for whoever may read reserves. */
            reservePrice?: number;
            /** @description For which the product can be bought at once, until the first bid or, where there is a reserve, until that is met: above the starting price and the reserve. */
            buyNowPrice?: number;
            /** @description Whether the auction can be cancelled when it has bids, too. */
            cancellableUntilEnd?: boolean;
            /**
             * @description `Pending` before the start, `Active` until the end, then `Ended`; `Cancelled` from its cancellation on.
             * @enum {string}
             */
            status: "Pending" | "Active" | "Ended" | "Cancelled";
            /** @description The highest bid, or the starting price while there is none. */
            currentPrice: number;
            /** @description The least that the next bid must offer; null where no higher bid is possible. */
            minimumNextBid: number | null;
            /** @description How many bids it has, those that the service made for their bidders too. */
            bidCount: number;
            /**
             * Format: date-time
             * @description With a soft close: when its time is over, as far as bids have moved that by now.
             */
            effectiveEndTime?: string;
            /** @description With a reserve: whether the highest bid is one that buys. */
            reserveMet?: boolean;
            /** @description With a buy-now price: whether the auction can be bought for it now. */
            buyNowOffered?: boolean;
            /** @description Null until it is final: some seconds after the end, or as soon as it is bought or cancelled. It never changes then. */
            result: components["schemas"]["AuctionResult"] | null;
        };
        AuctionResult: components["schemas"]["Sold"] | components["schemas"]["Unsold"] | components["schemas"]["Bought"] | components["schemas"]["Cancelled"];
        Sold: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            outcome: "sold";
            /** @description The bid that has won. */
            bidId: number;
            /** @description Its bidder. */
            winnerId: number;
            /** @description Its amount. */
            price: number;
        };
        Unsold: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            outcome: "unsold";
            /**
             * @description Nobody has bid, or the highest bid is below the reserve.
             * @enum {string}
             */
            reason: "no-bids" | "reserve-not-met";
        };
        Bought: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            outcome: "bought";
            /** @description Who has bought it at once. */
            buyerId: number;
            /** @description The buy-now price. */
            price: number;
        };
        Cancelled: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            outcome: "cancelled";
            /** @description As it was given, if it was. */
            reason?: string;
        };
        SoftClose: {
            /** @description How long before the end a bid is late, and moves it. */
            windowSeconds: number;
            /** @description How long after a late bid the auction ends at the earliest. */
            extensionSeconds: number;
            /**
             * Format: date-time
             * @description Past which nothing moves the end, in UTC: after endTime, by a week at the most.
             */
            latestEndTime: string;
        };
        Bid: {
            /** @description Assigned by the service. */
            id: number;
            /** @description The auction to bid on. */
            auctionId: number;
            /** @description The user who bids. */
            bidderId: number;
            /** @description In the auction's currency. With `raisesMaximum`, what the bidder leads with. */
            amount: number;
            /**
             * Format: date-time
             * @description When the bid was recorded, in UTC.
             */
            timestamp: string;
            /** @description Up to which the service bids for the bidder, as this bid said. Only for the bidder. */
            maximumAmount?: number;
            /**
             * @description On a bid that the service made, for a bidder with a maximum.
             * @constant
             */
            automatic?: true;
            /**
             * @description On what is no bid: the leader has raised its own maximum, and `amount` is what it leads with. No list has it.
             * @constant
             */
            raisesMaximum?: true;
        };
        Fault: {
            /** @description An RFC 6901 JSON Pointer to the field, parameter or header; "" is the body. */
            pointer: string;
            /** @description What would have been right. */
            message: string;
        };
        CreateAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["Auction"];
        };
        PlaceBidSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["Bid"];
        };
        ReadAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["AuctionView"];
        };
        ListAuctionsSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: {
                items: components["schemas"]["AuctionListItem"][];
                /** @description The `cursor` of the next page. Only null says that this page is the last: a page may be short. */
                nextCursor: string | null;
            };
        };
        ReadBidSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["Bid"];
        };
        ListBidsSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: {
                items: components["schemas"]["Bid"][];
                /** @description The `cursor` of the next page. Only null says that this page is the last: a page may be short. */
                nextCursor: string | null;
            };
        };
        BuyNowSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["AuctionView"];
        };
        CancelAuctionSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: components["schemas"]["AuctionView"];
        };
        ReadLivenessSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: Record<string, never>;
        };
        ReadReadinessSuccess: {
            /** @constant */
            success: true;
            /** @description For people. */
            message: string;
            data: Record<string, never>;
        };
        BadRequestProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bad-request";
            /** @constant */
            title: "Bad request";
            /** @constant */
            status: 400;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "bad-request";
        };
        MalformedJsonProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:malformed-json";
            /** @constant */
            title: "Malformed JSON";
            /** @constant */
            status: 400;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "malformed-json";
        };
        ValidationFailedProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:validation-failed";
            /** @constant */
            title: "Validation failed";
            /** @constant */
            status: 400;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "validation-failed";
            /** @description The first 20 faults. */
            errors: components["schemas"]["Fault"][];
            /** @description How many faults there are beside them. */
            moreErrors?: number;
        };
        UnauthenticatedProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:unauthenticated";
            /** @constant */
            title: "Unauthenticated";
            /** @constant */
            status: 401;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "unauthenticated";
        };
        ForbiddenProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:forbidden";
            /** @constant */
            title: "Forbidden";
            /** @constant */
            status: 403;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "forbidden";
        };
        NotFoundProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:not-found";
            /** @constant */
            title: "Not found";
            /** @constant */
            status: 404;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "not-found";
        };
        AuctionNotFoundProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-not-found";
            /** @constant */
            title: "Auction not found";
            /** @constant */
            status: 404;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "auction-not-found";
        };
        BidNotFoundProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bid-not-found";
            /** @constant */
            title: "Bid not found";
            /** @constant */
            status: 404;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "bid-not-found";
        };
        MethodNotAllowedProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:method-not-allowed";
            /** @constant */
            title: "Method not allowed";
            /** @constant */
            status: 405;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "method-not-allowed";
        };
        RequestTimeoutProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bad-request";
            /** @constant */
            title: "Bad request";
            /** @constant */
            status: 408;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "bad-request";
        };
        AuctionNotStartedProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-not-started";
            /** @constant */
            title: "Auction not started";
            /** @constant */
            status: 409;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-not-started";
            /** Format: date-time */
            startTime: string;
        };
        AuctionEndedProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-ended";
            /** @constant */
            title: "Auction ended";
            /** @constant */
            status: 409;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-ended";
            /**
             * Format: date-time
             * @description When it ended, in UTC.
             */
            endTime: string;
        };
        AuctionCancelledProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-cancelled";
            /** @constant */
            title: "Auction cancelled";
            /** @constant */
            status: 409;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-cancelled";
        };
        AuctionHasBidsProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:auction-has-bids";
            /** @constant */
            title: "Auction has bids";
            /** @constant */
            status: 409;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "auction-has-bids";
        };
        OwnerCannotBidProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:owner-cannot-bid";
            /** @constant */
            title: "Owner cannot bid";
            /** @constant */
            status: 409;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "owner-cannot-bid";
        };
        BidTooLowProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bid-too-low";
            /** @constant */
            title: "Bid too low";
            /** @constant */
            status: 409;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "bid-too-low";
            currentPrice: number;
            /** @description The least that the next bid must offer; null where no higher bid is possible. */
            minimumNextBid: number | null;
            currency: string;
        };
        MaximumNotRaisedProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:maximum-not-raised";
            /** @constant */
            title: "Maximum not raised";
            /** @constant */
            status: 409;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "maximum-not-raised";
        };
        OwnerCannotBuyProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:owner-cannot-buy";
            /** @constant */
            title: "Owner cannot buy";
            /** @constant */
            status: 409;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "owner-cannot-buy";
        };
        BuyNowNotOfferedProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:buy-now-not-offered";
            /** @constant */
            title: "Buy now not offered";
            /** @constant */
            status: 409;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "buy-now-not-offered";
            currentPrice: number;
            /** @description The least that the next bid must offer; null where no higher bid is possible. */
            minimumNextBid: number | null;
            currency: string;
        };
        PayloadTooLargeProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:payload-too-large";
            /** @constant */
            title: "Payload too large";
            /** @constant */
            status: 413;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "payload-too-large";
        };
        UnsupportedMediaTypeProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:unsupported-media-type";
            /** @constant */
            title: "Unsupported media type";
            /** @constant */
            status: 415;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "unsupported-media-type";
        };
        IdempotencyKeyReusedProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:idempotency-key-reused";
            /** @constant */
            title: "Idempotency key reused";
            /** @constant */
            status: 422;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "idempotency-key-reused";
        };
        RateLimitedProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:rate-limited";
            /** @constant */
            title: "Rate limited";
            /** @constant */
            status: 429;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "rate-limited";
        };
        HeadersTooLargeProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:bad-request";
            /** @constant */
            title: "Bad request";
            /** @constant */
            status: 431;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "bad-request";
        };
        InternalProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:internal";
            /** @constant */
            title: "Internal error";
            /** @constant */
            status: 500;
            /**
             * @description For programs; it stays.
             * @constant
             */
            code: "internal";
            requestId: string;
        };
        StoreUnavailableProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:store-unavailable";
            /** @constant */
            title: "Store unavailable";
            /** @constant */
            status: 503;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "store-unavailable";
        };
        IssuerUnavailableProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:issuer-unavailable";
            /** @constant */
            title: "Issuer unavailable";
            /** @constant */
            status: 503;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "issuer-unavailable";
        };
        OverloadedProblem: {
            /** @constant */
            success: false;
            /** @description For people: what was wrong, and what would have been right. */
            message: string;
            /** @constant */
            type: "urn:auction-service:problem:overloaded";
            /** @constant */
            title: "Overloaded";
            /** @constant */
            status: 503;
            /**
             * @description For programs; it stays. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            code: "overloaded";
        };
        CreateAuctionRequest: {
            /** @description The product that is auctioned. */
            productId: number;
            /** @description The user who sells; nobody bids on an auction of their own. */
            ownerId: number;
            /** @description Well-formed Unicode, counted in code points. */
            title?: string | null;
            /** @description Well-formed Unicode, counted in code points. */
            description?: string | null;
            /** @description The least that the first bid must offer; no more decimals than the currency has. */
            startingPrice: number;
            /** @description By how much a bid must beat the one before, if it is not automatic; no more decimals than the currency has. */
            minimumBidIncrement: number;
            /** @description An active ISO 4217 code that has minor units. */
            currency: string;
            /** @description From when on bids are taken, in UTC; it may be past. */
            startTime: string;
            /** @description Until when bids are taken, in UTC, unless late bids move the end: after the start, and not past when the auction is created. */
            endTime: string;
            /** @description Lets late bids move the end. Without it, nothing moves it. */
            softClose?: {
                /** @description How long before the end a bid is late, and moves it. */
                windowSeconds: number;
                /** @description How long after a late bid the auction ends at the earliest. */
                extensionSeconds: number;
                /** @description Past which nothing moves the end, in UTC: after endTime, by a week at the most. */
                latestEndTime: string;
            } | null;
            /** @description Below it nothing is sold: at least the starting price. Only the owner reads it, and who may read reserves. */
            reservePrice?: number | null;
            /** @description For which the product can be bought at once, until the first bid or, where there is a reserve, until that is met: above the starting price and the reserve. */
            buyNowPrice?: number | null;
            /** @description Whether the auction can be cancelled when it has bids, too. */
            cancellableUntilEnd?: boolean | null;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly id?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly status?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly timestamp?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly currentPrice?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly minimumNextBid?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly bidCount?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly result?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly effectiveEndTime?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly reserveMet?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly buyNowOffered?: unknown;
        };
        PlaceBidRequest: {
            /** @description The auction to bid on. */
            auctionId: number;
            /** @description The user who bids. */
            bidderId: number;
            /** @description In the auction's currency, with no more decimals than that has. At least its next bid, unless the leader sends a `maximumAmount`. */
            amount: number;
            /** @description Up to which the service bids for the bidder when others bid, by no more than it takes: at least the amount. Only the bidder reads it. */
            maximumAmount?: number | null;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly id?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly status?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly timestamp?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly automatic?: unknown;
            /** @description Assigned by the service; dropped when it is sent. */
            readonly raisesMaximum?: unknown;
        };
        BuyNowRequest: {
            /** @description The user who buys, anybody but the owner. */
            buyerId: number;
        };
        CancelAuctionRequest: {
            /** @description Why, for everybody who reads the auction. Well-formed Unicode, counted in code points. */
            reason?: string | null;
        };
    };
    responses: {
        /** @description - `unauthenticated`: There is no token, or it is not valid. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnauthenticatedProblem"];
            };
        };
        /** @description - `forbidden`: The permission is missing, or the caller acts for another user than it may. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ForbiddenProblem"];
            };
        };
        /** @description - `bad-request`: The request takes too long to arrive. */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RequestTimeoutProblem"];
            };
        };
        /** @description - `payload-too-large`: The body is over 64 KiB, or that of a bid over 4 KiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["PayloadTooLargeProblem"];
            };
        };
        /** @description - `unsupported-media-type`: The body is not `application/json`, or is compressed. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Accept: components["headers"]["Accept"];
                "Accept-Encoding": components["headers"]["Accept-Encoding"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["UnsupportedMediaTypeProblem"];
            };
        };
        /** @description - `rate-limited`: The budget of the caller is used up. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["RateLimitedProblem"];
            };
        };
        /** @description - `bad-request`: The request line and its headers are over 16 KiB. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["HeadersTooLargeProblem"];
            };
        };
        /** @description - `internal`: A fault of the service; nothing of it is told. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["InternalProblem"];
            };
        };
        /**
         * @description - `store-unavailable`: The store could not be asked; `message` says whether the outcome is unknown.
         *     - `issuer-unavailable`: The issuer's keys can't be had, so the token can't be judged; nothing was done.
         *     - `overloaded`: Too much is waiting, as `message` says, or the server closes; nothing was done.
         */
        StoreUnavailableOrIssuerUnavailableOrOverloaded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["IssuerUnavailableProblem"] | components["schemas"]["OverloadedProblem"];
            };
        };
        /** @description - `idempotency-key-reused`: The key has made another resource. */
        IdempotencyKeyReused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["IdempotencyKeyReusedProblem"];
            };
        };
        /**
         * @description - `bad-request`: The request is not right as HTTP.
         *     - `validation-failed`: A field, parameter or header is missing or invalid.
         */
        BadRequestOrValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
            };
        };
        /**
         * @description - `bad-request`: The request is not right as HTTP.
         *     - `malformed-json`: The body is no JSON text in UTF-8, or names a member twice.
         *     - `validation-failed`: A field, parameter or header is missing or invalid.
         */
        BadRequestOrMalformedJsonOrValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["ValidationFailedProblem"];
            };
        };
        /** @description - `bad-request`: The request is not right as HTTP. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["BadRequestProblem"];
            };
        };
        /**
         * @description - `not-found`: There is no such path.
         *     - `method-not-allowed`: The path takes other methods.
         */
        NotFoundOrMethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["NotFoundProblem"] | components["schemas"]["MethodNotAllowedProblem"];
            };
        };
    };
    parameters: {
        /** @description The caller's own name for this request: sent again with the same body, it is answered the first 201 again, and done once. */
        IdempotencyKey: string;
        /** @description Entity tags that the caller has seen: one of them is answered 304. */
        IfNoneMatch: string;
        /** @description An id of the caller for this request; one that is not sane is replaced. */
        RequestId: string;
        /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
        TraceParent: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request, under which the log has it: the one that was sent, where that is sane. */
        "X-Request-Id": string;
        /** @description The address of what was created. */
        Location: string;
        /** @description The entity tag of the answer, to be sent back as `If-None-Match`. */
        ETag: string;
        /** @description The budget of the caller and its window in seconds, for example `"default";q=300;w=60`. */
        "RateLimit-Policy": string;
        /** @description What is left of the budget, and in how many seconds it is whole again: `"default";r=299;t=60`. */
        RateLimit: string;
        /** @description In how many seconds to send the request again. */
        "Retry-After": number;
        /** @description What is wrong with the token (RFC 6750, section 3). */
        "WWW-Authenticate": string;
        /** @description The media type that is taken, where another was sent. */
        Accept: string;
        /** @description That a body is taken as it is, where it was compressed. */
        "Accept-Encoding": string;
        /** @description The methods that the path takes; it comes with 405. */
        Allow: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAuctions: {
        parameters: {
            query?: {
                /** @description How many items the page has at the most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It is opaque. */
                cursor?: string;
                /** @description Only auctions of this status. */
                status?: "Pending" | "Active" | "Ended" | "Cancelled";
                /** @description Only auctions of this owner. */
                ownerId?: number;
                /** @description Only auctions of this product. */
                productId?: number;
                /** @description Those that end soonest first. It goes together with `status=Active` only. Pages go by `endTime` as it was sent and, some seconds after that, by the end that a soft close has moved it to, so an auction may come again on a later page; within a page they are in the order in which they end. */
                sort?: "endTime";
            };
            header?: {
                /** @description An id of the caller for this request; one that is not sane is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of auctions, each as the single read has it, but without its `description`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuctionsSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not right as HTTP.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    createAuction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The caller's own name for this request: sent again with the same body, it is answered the first 201 again, and done once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description An id of the caller for this request; one that is not sane is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Up to 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAuctionRequest"];
            };
        };
        responses: {
            /** @description The auction is stored. `data` has all that was sent, with `id` and `status`. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateAuctionSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not right as HTTP.
             *     - `malformed-json`: The body is no JSON text in UTF-8, or names a member twice.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description - `idempotency-key-reused`: The key has made another resource. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["IdempotencyKeyReusedProblem"];
                };
            };
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    placeBid: {
        parameters: {
            query?: never;
            header?: {
                /** @description The caller's own name for this request: sent again with the same body, it is answered the first 201 again, and done once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description An id of the caller for this request; one that is not sane is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description Up to 4 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceBidRequest"];
            };
        };
        responses: {
            /** @description The bid is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlaceBidSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not right as HTTP.
             *     - `malformed-json`: The body is no JSON text in UTF-8, or names a member twice.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["MalformedJsonProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `auction-not-found`: There is no such auction. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `auction-not-started`: The bid comes too early.
             *     - `auction-ended`: The bid comes too late, or the auction was bought.
             *     - `auction-cancelled`: The auction was cancelled.
             *     - `owner-cannot-bid`: The bidder owns the auction.
             *     - `bid-too-low`: The amount is below the least next bid.
             *     - `maximum-not-raised`: The bidder leads, and `maximumAmount` is not above its maximum, or its bid where it has none.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotStartedProblem"] | components["schemas"]["AuctionEndedProblem"] | components["schemas"]["AuctionCancelledProblem"] | components["schemas"]["OwnerCannotBidProblem"] | components["schemas"]["BidTooLowProblem"] | components["schemas"]["MaximumNotRaisedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    readAuction: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags that the caller has seen: one of them is answered 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description An id of the caller for this request; one that is not sane is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The auction, with its price, its status by the clock, and its result once that is final. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadAuctionSuccess"];
                };
            };
            /** @description It is as `If-None-Match` says. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description - `bad-request`: The request is not right as HTTP.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `auction-not-found`: There is no such auction. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    readBid: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags that the caller has seen: one of them is answered 304. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description An id of the caller for this request; one that is not sane is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The bid.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bid. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadBidSuccess"];
                };
            };
            /** @description It is as `If-None-Match` says. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestOrValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `bid-not-found`: There is no such bid. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BidNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    listBids: {
        parameters: {
            query?: {
                /** @description How many items the page has at the most. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It is opaque. */
                cursor?: string;
            };
            header?: {
                /** @description An id of the caller for this request; one that is not sane is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of bids. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListBidsSuccess"];
                };
            };
            /**
             * @description - `bad-request`: The request is not right as HTTP.
             *     - `validation-failed`: A field, parameter or header is missing or invalid.
             */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["BadRequestProblem"] | components["schemas"]["ValidationFailedProblem"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `auction-not-found`: There is no such auction. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    buyNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description The caller's own name for this request: sent again with the same body, it is answered the first 201 again, and done once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description An id of the caller for this request; one that is not sane is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 2
                 */
                id: number;
            };
            cookie?: never;
        };
        /** @description Up to 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["BuyNowRequest"];
            };
        };
        responses: {
            /** @description The auction is bought, and over. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuyNowSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJsonOrValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            /** @description - `auction-not-found`: There is no such auction. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `auction-not-started`: The purchase comes too early.
             *     - `auction-ended`: The purchase comes too late, or somebody else was first.
             *     - `auction-cancelled`: The auction was cancelled.
             *     - `owner-cannot-buy`: The buyer owns the auction.
             *     - `buy-now-not-offered`: The auction has no buy-now price, or bids have ended that offer.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotStartedProblem"] | components["schemas"]["AuctionEndedProblem"] | components["schemas"]["AuctionCancelledProblem"] | components["schemas"]["OwnerCannotBuyProblem"] | components["schemas"]["BuyNowNotOfferedProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    cancelAuction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The caller's own name for this request: sent again with the same body, it is answered the first 201 again, and done once. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description An id of the caller for this request; one that is not sane is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path: {
                /**
                 * @description The auction.
                 * @example 3
                 */
                id: number;
            };
            cookie?: never;
        };
        /** @description Up to 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelAuctionRequest"];
            };
        };
        responses: {
            /** @description The auction is cancelled. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelAuctionSuccess"];
                };
            };
            400: components["responses"]["BadRequestOrMalformedJsonOrValidationFailed"];
            401: components["responses"]["Unauthenticated"];
            /** @description - `forbidden`: The permission is missing, or the caller acts for another than the owner. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ForbiddenProblem"];
                };
            };
            /** @description - `auction-not-found`: There is no such auction. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionNotFoundProblem"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            /**
             * @description - `auction-ended`: The auction is over: its time is, or it was bought.
             *     - `auction-has-bids`: The auction has bids, and was not created with `cancellableUntilEnd`.
             */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["AuctionEndedProblem"] | components["schemas"]["AuctionHasBidsProblem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimited"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["StoreUnavailableOrIssuerUnavailableOrOverloaded"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    readLiveness: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id of the caller for this request; one that is not sane is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server runs. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadLivenessSuccess"];
                };
            };
            400: components["responses"]["BadRequest"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
    readReadiness: {
        parameters: {
            query?: never;
            header?: {
                /** @description An id of the caller for this request; one that is not sane is replaced. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The trace that this request belongs to (W3C Trace Context); one that is not valid is ignored. */
                traceparent?: components["parameters"]["TraceParent"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The store answers and takes writes, and the server is not shutting down. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadReadinessSuccess"];
                };
            };
            400: components["responses"]["BadRequest"];
            408: components["responses"]["RequestTimeout"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["Internal"];
            /**
             * @description - `store-unavailable`: The store is not open yet, does not answer, or takes no writes.
             *     - `overloaded`: The server is shutting down.
             */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["StoreUnavailableProblem"] | components["schemas"]["OverloadedProblem"];
                };
            };
            default: components["responses"]["NotFoundOrMethodNotAllowed"];
        };
    };
}
