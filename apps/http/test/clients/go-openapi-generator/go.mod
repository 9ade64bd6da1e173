module auctions

go 1.24
