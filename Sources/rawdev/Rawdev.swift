@main struct Rawdev { static func main() {} }
